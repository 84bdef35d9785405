import CarillonCore
import Foundation
import UIKit

/// What is handed on to the app's own code.
extension Carillon {
    /// Tells the app of the alert that it was launched for. A silent push is left to the app delegate, which iOS calls
    /// next.
    func tellApp(ofLaunch payload: [String: JSONValue]) async {
        guard interpreter.isAlert(payload) else { return }
        let instructions = interpreter.instructions(for: payload)
        if let message = instructions.message {
            let policy = store.contents.policy
            guard policy.mayBeSeen(message, at: clock.now) else { return }
        }
        await tellApp(ofPush: payload, instructions, Progress())
    }

    func tellApp(
        ofPush payload: [String: JSONValue], _ instructions: PushInstructions, _ progress: Progress
    ) async {
        guard let message = Self.appMessage(payload, instructions) else {
            await refresh(payload, progress)
            return
        }
        let isNew = store.update { [now = clock.now] contents in
            if let message = instructions.message { contents.policy.meet(message, at: now) }
            return contents.policy.reachesApp(instructions.message, payload: payload)
        }
        guard isNew else { return }
        progress.hasNews = true
        await onMessage?(message)
    }

    private func refresh(_ payload: [String: JSONValue], _ progress: Progress) async {
        guard payload["aps"]?["content-available"]?.intValue == 1, let onRefresh else { return }
        switch await onRefresh(payload) {
        case .newData: progress.hasNews = true
        case .noData: break
        case .failed: progress.hasFailed = true
        @unknown default: break
        }
    }

    /// The message in the form in which the app hears of it; `nil` when the push has nothing to read.
    static func appMessage(_ payload: [String: JSONValue], _ instructions: PushInstructions) -> AppMessage? {
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
