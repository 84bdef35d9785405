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
            guard decide({ $0.mayReachApp(launchedFor: message, $1) }) else { return }
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
        guard decide({ $0.reachesApp(instructions.message, payload: payload, $1) }) else { return }
        store.save()
        progress.hasNewData = true
        await tell(message)
    }

    /// Passes on a notification that the notification center has reported, unless the app has received its message
    /// before.
    func passToApp(
        delivered identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) async {
        guard decide({ policy, _ in policy.reachesApp(shown: identifier, payload: payload) }) else { return }
        store.save()
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
