import CarillonCore
import CarillonMessaging
import CarillonUserInfo
import Foundation
import UserNotifications

/// The service extension's work on one push.
struct ExtensionWork: Sendable {
    /// The treatment of a message that the person may no longer see.
    enum VetoStyle: Sendable {
        /// The notification does not appear; needs the filtering entitlement.
        case suppress
        /// The notification appears with this text, without sound.
        case replaceText(String)
    }

    private let identifier: String
    private let instructions: PushInstructions
    private let media: AttachmentRequest?
    private let platform: AppPlatform
    private let service: ServiceClient?
    private let onVeto: VetoStyle
    private let answer: ContentAnswer
    private let store: ExtensionStore
    private let requests: ReceiptRequests
    private let random: SharedRandomSource
    private let began: Duration
    private let report: @Sendable (CarillonEvent) -> Void

    /// Makes the work on one push, without starting it.
    ///
    /// - Parameters:
    ///   - request: the notification's request as iOS gave it.
    ///   - platform: the phone's clock, files and network.
    ///   - service: the connection over which the extension sends receipts; if it is `nil`, the app sends them at its next
    ///     launch.
    ///   - onVeto: the treatment of a message that the person may no longer see.
    ///   - media: the file to attach, if any.
    ///   - answer: the answer to iOS, which is given when the work is done.
    ///   - randomness: the source of file names, and of the random part of the wait before a retry.
    ///   - report: receives events for the developer.
    init(
        request: UNNotificationRequest, platform: AppPlatform, service: ServiceClient?, onVeto: VetoStyle,
        media: AttachmentRequest?, answer: ContentAnswer, randomness: any RandomNumberGenerator & Sendable,
        report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        identifier = request.identifier
        let userInfo = request.content.userInfo
        instructions = PushInterpreter().instructions(forUserInfo: userInfo)
        self.media = media
        self.report = report
        self.platform = platform
        self.service = service
        self.onVeto = onVeto
        self.answer = answer
        let process = ExtensionProcess.current(on: platform)
        requests = process.receiptRequests
        random = SharedRandomSource(randomness)
        began = platform.clock.uptime
        store = ExtensionStore(
            files: platform.storeFiles, process: process, now: platform.clock.now, randomness: randomness,
            report: report)
    }

    /// Carries out the push's removals, decides whether its message is shown, and then does the slow work: attachment and
    /// receipts.
    @MainActor
    func run(_ notificationCenter: NotificationCenterClient) async {
        var message = instructions.message
        message?.identifier = identifier
        var isVetoed = false
        let runner = PlanRunner(host: self, center: notificationCenter)
        await runner.run(decide { [message] in $0.alerted(message, instructions, $1) }) { notice in
            switch notice {
            case .treat(.quiet): answer.change { $0.becomeQuiet() }
            case .treat(.withhold):
                withhold(message)
                isVetoed = true
            case .treat(.notice):
                if isSuppressing { answer.replace(by: UNNotificationContent()) }
                isVetoed = true
            case .report(let event): report(event)
            default: break
            }
        }
        // Concurrently, so that a slow file server does not delay the receipts.
        async let receipts: Void = exchange(runner)
        if !isVetoed { await attach() }
        let shown = isVetoed ? nil : message
        let patience = platform.clock.schedule(after: AppLimits.receiptTime) { give(shown) }
        await receipts
        patience.cancel()
        give(shown)
    }

    /// Gives iOS the answer, after one more decision: another push may have recalled the message meanwhile.
    ///
    /// - Parameter message: the message that was going to be shown; `nil` if there is none.
    private func give(_ message: PushMessage?) {
        if let message, !answer.isGiven {
            switch update({ $0.alertedAgain(message, $1) }) {
            case .withhold: withhold(message)
            case .quiet: answer.change { $0.becomeQuiet() }
            case .asItIs, .notice, nil: break
            }
        }
        answer.give()
    }

    private var isSuppressing: Bool { if case .suppress = onVeto { true } else { false } }

    /// Replaces the whole content, because the app gets the payload of the notification when the person taps it.
    private func withhold(_ message: PushMessage?) {
        let content = UNMutableNotificationContent()
        if case .replaceText(let text) = onVeto {
            content.becomeQuiet()
            content.body = text
            content.userInfo = message?.noticePayload.mapValues(\.foundationObject) ?? [:]
        }
        answer.replace(by: content)
    }

    private func attach() async {
        guard let media else { return }
        await AttachmentFiles.removeForgotten(in: platform.directory, at: platform.clock.now)
        let files = AttachmentFiles(in: platform.directory, at: platform.clock.now, random)
        answer.isFetching(files)
        do {
            let attachment = try await AttachmentLoader(isOnline: platform.isOnline, files: files)
                .attachment(for: media, identifier: identifier)
            // iOS takes the file with the notification. If the answer was given before, the file must be removed here.
            guard !answer.attach(attachment) else { return }
            files.remove()
            report(.attachmentFailed(identifier: identifier, reason: "its time was over"))
        } catch {
            report(.attachmentFailed(identifier: identifier, reason: error.reason))
        }
    }

    /// Sends the waiting receipts, and fetches the removals that did not fit into the push.
    ///
    /// Carries out the removals that the service's answers name. Leaves to the app what a failed request has not sent.
    private func exchange(_ runner: PlanRunner) async {
        guard let service, let identity = store.identity else { return }
        if instructions.needsSync { store.update { $0.sync.ask() } }
        await requests.send(platform.clock) {
            var hasWaited = false
            // The number of requests is bounded, so that a service that always names removals cannot keep the extension busy.
            for _ in 0..<AppLimits.receiptRequests {
                let contents = store.contents
                let now = platform.clock.now
                let batch = contents.policy.receipts.batch(at: now)
                guard contents.registration.confirmed != nil, !batch.isEmpty || contents.sync.isDue(at: now) else {
                    return
                }
                do {
                    let answer =
                        try await batch.isEmpty ? service.sync(as: identity) : service.send(batch, as: identity)
                    await process(answer, to: batch, askedAt: now, runner)
                } catch {
                    if !hasWaited, await mayTryAgain(after: error) {
                        hasWaited = true
                    } else if !failed(error, batch) {
                        return
                    }
                }
            }
        }
    }

    @MainActor
    private func process(
        _ answer: SyncAnswer, to batch: [Receipt], askedAt: Timestamp, _ runner: PlanRunner
    ) async {
        store.update { [now = platform.clock.now] contents in
            if !batch.isEmpty { contents.policy.receipts.settled(batch) }
            contents.sync.answered()
            contents.policy.time.heard(answer.now, askedAt: askedAt, at: now)
        }
        // iOS is about to show this notification. If the answer recalls it, ``give(_:)`` withholds it.
        let alert = instructions.message?.messageID
        await runner.run(decide { $0.answered(answer, before: alert, $1) }) { notice in
            if case .report(let event) = notice { report(event) }
        }
    }

    /// Records a failed request, so that the next notification does not send it again before the back-off ends.
    ///
    /// - Returns: whether the next request may be sent at once.
    private func failed(_ error: any Error, _ batch: [Receipt]) -> Bool {
        let failure = RequestFailure(error, at: platform.clock.now, jitter: random.chance())
        return store.update { contents in
            if !batch.isEmpty { return contents.policy.receipts.failed(batch, failure) }
            contents.sync.failed(failure)
            return false
        }
    }

    /// Waits before a retry: for the time that the service has asked for, plus a random part.
    ///
    /// The random part differs from phone to phone. So phones that were refused together, for example after a broadcast, do not
    /// retry together.
    ///
    /// - Returns: `true` after the wait; `false` if the service did not ask for one, or asked for more time than iOS leaves the
    ///   extension.
    private func mayTryAgain(after error: any Error) async -> Bool {
        guard let asked = (error as? ServiceCallError)?.retryAfter else { return false }
        let wait = asked + asked * random.chance()
        guard platform.clock.uptime + wait < began + AppLimits.receiptTime else { return false }
        do { try await platform.clock.sleep(for: wait) } catch { return false }
        return true
    }
}

extension ExtensionWork: PlanHost {
    /// Makes a decision with the store's current contents, and writes the resulting change to a file for the app.
    func decide<Value: Sendable>(_ decision: (inout MessagePolicy, MessageMoment) -> Value) -> Value {
        update(decision)
    }

    private nonisolated func update<Value: Sendable>(
        _ decision: (inout MessagePolicy, MessageMoment) -> Value
    ) -> Value {
        store.update { [now = platform.clock.now, isSuppressing] contents in
            let moment = MessageMoment(
                now: now, signedOut: contents.registration.isSignOutPending, maySuppress: isSuppressing)
            return decision(&contents.policy, moment)
        }
    }

    /// Does nothing, because each change is written at once.
    func save() {}

    /// Does nothing, because ``decide(_:)`` itself reads what other processes have written.
    func takeOverFromExtension() {}

    func setBadge(_ count: Int, composedAt moment: Timestamp?) async {}

    /// Returns `true`, because the app's extension has chosen Carillon for this notification.
    func handles(_ payload: [String: JSONValue]) -> Bool { true }
}

extension UNMutableNotificationContent {
    fileprivate func becomeQuiet() {
        interruptionLevel = .passive
        sound = nil
    }
}

/// The extension's answer to iOS, given once: when the work is done or when its time is over.
///
/// `@unchecked`: the handler and the content are used only under the lock, and iOS keeps no reference to them.
final class ContentAnswer: @unchecked Sendable {
    private let lock = NSLock()
    private var handler: ((UNNotificationContent) -> Void)?
    private var content: UNNotificationContent
    /// The temporary files of the attachment that the extension is downloading.
    ///
    /// `nil` before the download begins, and once the attachment is part of the content: its file then belongs to iOS.
    private var fetched: AttachmentFiles?

    init(_ content: UNNotificationContent, handler: @escaping (UNNotificationContent) -> Void) {
        self.content = content
        self.handler = handler
    }

    /// Whether ``give()`` was called.
    var isGiven: Bool { lock.withLock { handler == nil } }

    /// Changes the content that iOS will show; has no effect after ``give()``.
    ///
    /// - Returns: `false` if ``give()`` was already called, so that the change is not shown.
    @discardableResult
    package func change(_ edit: (UNMutableNotificationContent) -> Void) -> Bool {
        lock.withLock { edited(edit) }
    }

    /// Changes the content under the lock, which the caller holds.
    private func edited(_ edit: (UNMutableNotificationContent) -> Void) -> Bool {
        guard handler != nil, let copy = content.mutableCopy() as? UNMutableNotificationContent else { return false }
        edit(copy)
        content = copy
        return true
    }

    /// Records the files of an attachment that is being downloaded, so that ``give()`` can remove them.
    func isFetching(_ files: AttachmentFiles) { lock.withLock { fetched = files } }

    /// Adds an attachment to the content; its file then belongs to iOS.
    ///
    /// - Returns: `false` if ``give()`` was already called, so that the attachment is not shown.
    func attach(_ attachment: UNNotificationAttachment) -> Bool {
        // Together, because give() may come from another thread in between, and would remove the file that iOS shows.
        lock.withLock {
            let isShown = edited { $0.attachments.append(attachment) }
            if isShown { fetched = nil }
            return isShown
        }
    }

    /// Replaces the content that iOS will show; has no effect after ``give()``.
    ///
    /// iOS suppresses a notification with empty content if the app has the filtering entitlement.
    func replace(by content: UNNotificationContent) { lock.withLock { self.content = content } }

    /// Calls iOS's content handler; further calls have no effect.
    ///
    /// First removes the files of an unfinished attachment, because iOS may end the process right after the call.
    func give() {
        let pending = lock.withLock {
            defer { (handler, fetched) = (nil, nil) }
            return handler.map { ($0, content, fetched) }
        }
        guard let (handler, content, unfinished) = pending else { return }
        unfinished?.remove()
        handler(content)
    }
}
