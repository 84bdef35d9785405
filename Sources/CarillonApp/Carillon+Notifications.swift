import CarillonCore
import Foundation
import UIKit
import UserNotifications

/// The two callbacks of the notification center's delegate.
extension Carillon {
    /// Decides how a notification that arrives in the foreground is shown. To be called from
    /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`; the handler is called before this returns.
    public func willPresent(
        _ notification: UNNotification,
        withCompletionHandler completionHandler: (UNNotificationPresentationOptions) -> Void
    ) {
        let identifier = notification.request.identifier
        let payload = Self.payload(notification.request.content.userInfo)
        let instructions = interpreter.instructions(for: payload)
        let options = present(identifier, instructions)
        completionHandler(options)
        tasks.start { [self] in
            if options.isEmpty { await screenLane.run { [self] in _ = await screen.remove([identifier]) } }
            if !options.isDisjoint(with: [.banner, .list]) { await claimShown(identifier, instructions) }
            if !options.isEmpty { await tellApp(ofShown: identifier, payload: payload, instructions) }
            await serviceLane.run { [self] in
                _ = await converse(instructions)
                await fetchInbox()
            }
        }
    }

    /// The decision, and the receipts of what is kept off the screen.
    private func present(_ identifier: String, _ instructions: PushInstructions) -> UNNotificationPresentationOptions {
        let options = UNNotificationPresentationOptions(configuration.foregroundPresentation)
        guard var message = instructions.message else { return options }
        message.identifier = identifier
        let presentation = store.update { [message, now = clock.now] contents in
            contents.policy.aboutToPresent(message, composedAt: instructions.composedAt, at: now)
        }
        return switch presentation {
        case .full: options
        case .quiet: options.intersection(.list)
        case .nothing: []
        }
    }

    /// iOS asks also for an app whose notifications the person does not allow; then nothing was shown.
    private func claimShown(_ identifier: String, _ instructions: PushInstructions) async {
        let permission = await readPermission()
        guard [.authorized, .provisional, .ephemeral].contains(permission) else { return }
        let attempt = instructions.message?.attempt ?? 1
        store.update { [now = clock.now] in $0.policy.wasShown(identifier, attempt: attempt, at: now) }
    }

    /// Carries out what the person did with a notification. To be called from
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    ///
    /// - Parameter completionHandler: called exactly once, on the main thread, after ``onResponse`` has returned (if
    ///   the app is ready) and the receipt is sent, at the latest after 25 seconds.
    public func didReceive(
        _ response: UNNotificationResponse, withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let finish = completions.open("didReceiveResponse", late: {}, handler: completionHandler)
        let work = responded(response)
        tasks.start {
            await work()
            finish(())
        }
    }

    /// The tap that has connected a scene: `connectionOptions.notificationResponse`, which iOS may also hand to the
    /// center's delegate. It reaches the app once.
    public func didConnectScene(with response: UNNotificationResponse?) {
        if let response { tasks.start(responded(response)) }
    }

    /// The person has read a message inside the app: its notification goes, and the service takes it from the person's
    /// other phones, as after a tap.
    public func markRead(_ id: MessageID) {
        let removal = PushRemoval(identifier: id.rawValue, messageID: id)
        let listed = store.inbox.contents.items.first { $0.id == id }?.revision ?? 1
        let known = store.contents.policy.known
        let name = removal.identifiers.first { known[$0] != nil }
        let revision = max(listed, name.flatMap { known[$0]?.revision } ?? 1)
        noteRead(id, revision: revision)
        store.update { [now = clock.now] contents in
            contents.policy.wasRead(
                PushMessage(identifier: name ?? id.rawValue, messageID: id, presentation: .nothing, revision: revision),
                at: now)
        }
        tasks.start { [self] in
            await screenLane.run { [self] in _ = await screen.remove(removal.identifiers) }
            await serviceLane.run { [self] in _ = await converse(PushInstructions(dialect: .carillon)) }
        }
    }

    private func responded(_ response: UNNotificationResponse) -> @MainActor () async -> Void {
        let request = response.notification.request
        let payload = Self.payload(request.content.userInfo)
        let instructions = interpreter.instructions(for: payload)
        let action = MessageResponse.Action(response)
        let key = ResponseRouter.Key(
            identifier: request.identifier,
            shownAtMilliseconds: Timestamp(response.notification.date).millisecondsSince1970, action: action)
        guard !router.knows(key) else { return {} }
        let message = AppMessage(
            identifier: request.identifier, messageID: instructions.message?.messageID, userInfo: payload)
        let now = router.received(MessageResponse(message: message, action: action), key: key)
        note(action, of: request.identifier, instructions)
        return { [self] in
            let conversation = Task { [self] in
                await serviceLane.run { [self] in _ = await converse(instructions) }
            }
            await tellApp(ofShown: request.identifier, payload: payload, instructions)
            if let now { await onResponse?(now) }
            await conversation.value
        }
    }

    private func note(_ action: MessageResponse.Action, of identifier: String, _ instructions: PushInstructions) {
        guard var message = instructions.message else { return }
        message.identifier = identifier
        // With receipts the service learns of it by `opened`.
        if action == .open, let id = message.messageID, user != nil {
            noteRead(id, revision: message.revision, isSaid: writesReceipts)
        }
        store.update { [message, now = clock.now] contents in
            contents.policy.meet(message, at: now)
            switch action {
            case .open: contents.policy.wasRead(message, at: now)
            case .dismiss: contents.policy.claim(.dismissed, of: identifier, at: now)
            case .chose(let name), .replied(let name, _):
                contents.policy.claim(.acted, of: identifier, detail: name, at: now)
            }
        }
    }

    private func tellApp(
        ofShown identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) async {
        guard store.update({ $0.policy.reachesApp(shown: identifier, payload: payload) }) else { return }
        await onMessage?(
            AppMessage(identifier: identifier, messageID: instructions.message?.messageID, userInfo: payload))
    }
}

extension MessageResponse.Action {
    init(_ response: UNNotificationResponse) {
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: self = .open
        case UNNotificationDismissActionIdentifier: self = .dismiss
        case let name:
            if let text = (response as? UNTextInputNotificationResponse)?.userText {
                self = .replied(name, text: text)
            } else {
                self = .chose(name)
            }
        }
    }
}

extension UNNotificationPresentationOptions {
    init(_ parts: CarillonConfiguration.ForegroundPresentation) {
        self = []
        if parts.contains(.banner) { insert(.banner) }
        if parts.contains(.list) { insert(.list) }
        if parts.contains(.sound) { insert(.sound) }
        if parts.contains(.badge) { insert(.badge) }
    }
}
