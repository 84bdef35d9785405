import CarillonCore
import CarillonMessaging
import Foundation
import UIKit

/// What the app's own code receives: each message once, whichever callbacks of iOS report it.
extension Carillon {
    /// Passes on the alert that the app was launched for.
    ///
    /// A silent push is left to the app delegate, which iOS calls next.
    func passToApp(launch payload: [String: JSONValue]) async {
        guard interpreter.isAlert(payload) else { return }
        let instructions = interpreter.instructions(for: payload)
        if let message = instructions.message {
            let progress = Progress()
            _ = begin(.launched(message), progress)
            guard progress.isForApp else { return }
        }
        await passToApp(push: payload, instructions, Progress())
    }

    /// Passes on a push that the app delegate was given, unless the app has received its message before.
    func passToApp(
        push payload: [String: JSONValue], _ instructions: PushInstructions, _ progress: Progress
    ) async {
        guard let message = Self.appMessage(payload, instructions) else {
            await refresh(payload, progress)
            return
        }
        let reaching = Progress()
        _ = begin(.reachingApp(instructions.message, payload: payload), reaching)
        guard reaching.isForApp else { return }
        progress.hasNewData = true
        await tell(message)
    }

    /// Passes on a notification that the notification center has reported, unless the app has received its message
    /// before.
    func passToApp(
        delivered identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) async {
        let progress = Progress()
        _ = begin(.reachingAppShown(identifier: identifier, payload: payload), progress)
        guard progress.isForApp else { return }
        await tell(
            AppMessage(identifier: identifier, messageID: instructions.message?.messageID, userInfo: payload))
    }

    private func refresh(_ payload: [String: JSONValue], _ progress: Progress) async {
        guard payload["aps"]?["content-available"]?.intValue == 1, let onRefresh else { return }
        switch await onRefresh(payload) {
        case .newData: progress.hasNewData = true
        case .noData: break
        case .failed: progress.hasFailed = true
        @unknown default: break
        }
    }

    /// The message in the form that the app receives; `nil` when the push has no text.
    private static func appMessage(
        _ payload: [String: JSONValue], _ instructions: PushInstructions
    ) -> AppMessage? {
        guard let message = instructions.message else {
            guard PushInterpreter().isAlert(payload) else { return nil }
            return AppMessage(
                identifier: "push-" + UnidentifiedMessages.digest(payload), messageID: nil, userInfo: payload)
        }
        var userInfo = payload
        switch message.presentation {
        case .local(let notification): userInfo = notification.userInfo
        case .nothing: return nil
        case .bySystem, .inApp: break
        }
        return AppMessage(identifier: message.identifier, messageID: message.messageID, userInfo: userInfo)
    }
}
