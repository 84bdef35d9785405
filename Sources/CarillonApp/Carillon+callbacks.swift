import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// The methods to which the app forwards iOS's callbacks.
extension Carillon {
    // MARK: Pushes

    /// Processes a remote notification: carries out its removals, shows its message, and calls the app's handlers.
    ///
    /// Call it from `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`, which iOS calls in the foreground, in
    /// the background, and when it launches the app for a push.
    ///
    /// - Parameters:
    ///   - userInfo: the payload.
    ///   - completionHandler: called exactly once, on the main thread, when the work is complete, or after 25 seconds at the
    ///     latest. Complete work means: removed notifications are gone from Notification Center, new notifications are in it, and
    ///     receipts are sent if the service can be reached. The argument is `.newData` if anything changed, else `.failed` if
    ///     something failed, else `.noData`.
    public func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let payload = Self.payload(userInfo)
        let progress = CallbackProgress()
        let finish = completions.open(
            "didReceiveRemoteNotification", late: { progress.hasNewData ? .newData : .failed },
            handler: completionHandler)
        let media = AttachmentRequest(userInfo, byteLimit: .max)
        tasks.start { [self] in
            await store.takeOver { [self] in await process(payload, media, progress) }
            await store.savedWhatMatters()
            finish(progress.result)
        }
    }

    private func process(
        _ payload: [String: JSONValue], _ media: AttachmentRequest?, _ progress: CallbackProgress
    ) async {
        var instructions = PushInterpreter().instructions(for: payload)
        if let problem = instructions.problem { configuration.report(.pushNotUnderstood(reason: problem)) }
        exchange.networkMayBeBack()
        let attachment = await fetchAttachment(media, &instructions, progress)
        await messages.run(progress) { [instructions] in
            $0.pushed(instructions, $1)
        } then: { [self, instructions] in
            attachment?.remove()
            let serviceExchange = Task { [exchange] in await exchange.exchange(after: instructions) }
            if progress.isForApp { await messages.passToApp(push: payload, instructions, progress) }
            if await !serviceExchange.value { progress.hasFailed = true }
        }
    }

    /// Downloads the attachment of the message in a silent push, if the SDK is going to show the message.
    ///
    /// Later pushes do not wait for the download.
    ///
    /// - Parameters:
    ///   - media: the file that the push names, if any.
    ///   - instructions: the push's instructions. Before the download, this method carries out and deletes their `removals`;
    ///     after it, the method adds the file to their `message`.
    ///   - progress: collects the results of carrying out the removals.
    /// - Returns: the attachment, which the caller must remove after showing the message; `nil` if there is none.
    private func fetchAttachment(
        _ media: AttachmentRequest?, _ instructions: inout PushInstructions, _ progress: CallbackProgress
    ) async -> SilentAttachments.Attachment? {
        guard let media, let message = instructions.message, case .local(var notification) = message.presentation,
            messages.decide({ $0.wouldShow(message, $1) })
        else { return nil }
        if !instructions.removals.isEmpty {
            let removing = PushInstructions(dialect: instructions.dialect, removals: instructions.removals)
            await messages.run(progress) { $0.pushed(removing, $1) }
            instructions.removals = []
        }
        guard let attachment = await attachments.fetch(media, for: message.identifier) else { return nil }
        notification.attachment = attachment.file
        instructions.message?.presentation = .local(notification)
        return attachment
    }

    // MARK: Notifications

    /// Decides how a notification that arrives in the foreground is shown, and passes its message to ``onMessage``.
    ///
    /// Call it from `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    ///
    /// - Parameters:
    ///   - notification: the notification that arrives.
    ///   - completionHandler: called exactly once, on the main thread, within 4 seconds, with the presentation options; with
    ///     none if the notification must not be shown.
    public func willPresent(
        _ notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        guard !messages.takePutBack(notification.request) else { return completionHandler([.list]) }
        let identifier = notification.request.identifier
        let payload = Self.payload(notification.request.content.userInfo)
        let instructions = PushInterpreter().instructions(for: payload)
        // If the extension's changes cannot be read in time, the app decides without them, and once more with them.
        let answer = Once(completionHandler)
        answer.give(after: AppLimits.ownPresentationTime, by: clock) { [self] in
            configuration.report(.completionWasLate(name: "willPresent"))
            return presentationOptions(identifier, instructions)
        }
        tasks.start { [self] in
            await store.takeOver { [self] in await present(identifier, payload, instructions, answer) }
        }
    }

    private func present(
        _ identifier: String, _ payload: [String: JSONValue], _ instructions: PushInstructions,
        _ answer: Once<UNNotificationPresentationOptions>
    ) async {
        let options = presentationOptions(identifier, instructions)
        let news = options.isEmpty ? nil : messages.take(delivered: identifier, payload: payload, instructions)
        answer.give { options }
        let handOver = Task { [handlers] in
            if let news { await handlers.handOver(news) }
        }
        if options.isEmpty { await messages.run { policy, _ in policy.notPresented(identifier) } }
        if instructions.message != nil, options.contains(.list) {
            await messages.run { policy, _ in policy.presented(identifier) }
        }
        await handOver.value
        await exchange.exchange(after: instructions, fetchesInbox: true)
    }

    /// Returns how a foreground notification is shown, and writes a receipt if the message is not shown.
    private func presentationOptions(
        _ identifier: String, _ instructions: PushInstructions
    ) -> UNNotificationPresentationOptions {
        let options = configuration.presentationOptions
        guard var message = instructions.message else { return options }
        message.identifier = identifier
        let presentation = messages.decide { [message] in $0.presenting(message, $1) }
        return switch presentation {
        case .full: options
        case .quiet: options.intersection(.list)
        case .nothing: []
        }
    }

    /// Processes the person's response to a notification: calls ``onResponse`` and sends the receipt.
    ///
    /// Call it from `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    ///
    /// - Parameters:
    ///   - response: the person's response, as iOS gave it.
    ///   - completionHandler: called exactly once, on the main thread, within 25 seconds. The SDK calls it after the receipt is
    ///     sent and ``onResponse`` has returned. It does not wait for an ``onResponse`` that is called only after
    ///     ``appIsReady()``.
    public func didReceive(
        _ response: UNNotificationResponse, withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let finish = completions.open("didReceiveResponse", late: {}, handler: completionHandler)
        let work = responded(response)
        tasks.start { [store] in
            await work()
            await store.savedWhatMatters()
            finish(())
        }
    }

    /// Processes the tap that made iOS connect a scene.
    ///
    /// Call it from `scene(_:willConnectTo:options:)`. The app receives the response once, even if iOS also reports it to the
    /// notification center's delegate.
    ///
    /// - Parameter connectionOptions: the options that iOS passed to the scene.
    public func sceneWillConnect(with connectionOptions: UIScene.ConnectionOptions) {
        if let response = connectionOptions.notificationResponse { sceneWillConnect(for: response) }
    }

    /// Processes the tap that made iOS connect a scene.
    package func sceneWillConnect(for response: UNNotificationResponse) {
        // iOS reports every tap to the scene, also taps on the notifications of other SDKs.
        guard messages.handles(Self.payload(response.notification.request.content.userInfo)) else { return }
        tasks.start(responded(response))
    }

    /// Marks a message as read, because the person has read it inside the app.
    ///
    /// Removes the message's notification from this phone. The service removes it from the user's other devices, as it does
    /// after a tap.
    ///
    /// - Parameter id: the message's id. The SDK reports the id to the service even if this phone does not know the message.
    public func markRead(_ id: MessageID) {
        let listed = store.inbox.items.first { $0.id == id }?.revision ?? 1
        let (plan, reading) = messages.decide { $0.readInApp(id, listed: listed, $1) }
        record(reading)
        store.save()
        tasks.start { [self] in
            await messages.run { _, _ in plan }
            await exchange.exchange()
        }
    }

    /// Returns the work that processes a response; the work does nothing if iOS has already reported this response.
    ///
    /// The work records the response, calls the app's handlers and reports to the service.
    private func responded(_ response: UNNotificationResponse) -> @MainActor () async -> Void {
        let request = response.notification.request
        let (identifier, category) = (request.identifier, request.content.categoryIdentifier)
        let payload = Self.payload(request.content.userInfo)
        let instructions = PushInterpreter().instructions(for: payload)
        let action = Carillon.Response.Action(response)
        let key = KnownResponses.Key(
            identifier: identifier,
            shownAtMilliseconds: Timestamp(response.notification.date).millisecondsSince1970, action: action)
        guard handlers.remember(key) else { return {} }
        let message = Carillon.Message(
            identifier: identifier, messageID: instructions.message?.messageID, userInfo: payload)
        return { [self] in
            await store.takeOver { [self] in
                var keys: [HandOvers.Key] = []
                if record(action, of: identifier, instructions) {
                    // The app receives the message before the response to it.
                    if let news = messages.take(delivered: identifier, payload: payload, instructions) {
                        keys.append(news)
                    }
                    keys.append(
                        handlers.received(Carillon.Response(message: message, action: action), category: category))
                }
                store.save()
                let serviceExchange = Task { [exchange] in await exchange.exchange(after: instructions) }
                for key in keys { await handlers.handOver(key) }
                _ = await serviceExchange.value
            }
        }
    }

    private func record(_ reading: MessageReading?) {
        guard let reading else { return }
        store.updateInbox { $0.read(reading.id, revision: reading.revision, isReported: reading.hasReceipt) }
    }

    /// Records the person's response to a notification.
    ///
    /// - Returns: whether the app may receive the response and its message.
    private func record(
        _ action: Carillon.Response.Action, of identifier: String, _ instructions: PushInstructions
    ) -> Bool {
        guard var message = instructions.message else { return true }
        message.identifier = identifier
        let reaction = MessageReaction(action.kind, isReading: handlers.isReading(action))
        let (isForApp, reading) = messages.decide { [message] in $0.responded(message, reaction, $1) }
        record(reading)
        return isForApp
    }
}

extension Carillon.Response.Action {
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
