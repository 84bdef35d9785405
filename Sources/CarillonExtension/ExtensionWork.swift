import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

/// The service extension's work on one push.
struct ExtensionWork: Sendable {
    /// How a message is treated that may not be seen.
    enum VetoStyle: Sendable {
        /// Nothing appears; needs the filtering entitlement.
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

    /// - Parameters:
    ///   - request: the push as iOS handed it over.
    ///   - platform: the phone.
    ///   - service: where receipts are sent; `nil` leaves them to the app's next launch.
    ///   - onVeto: what becomes of a message that may not be seen.
    ///   - media: the file to attach, if any.
    ///   - answer: given when the work is done.
    ///   - randomness: for the names of files, and for how long this phone waits where all were asked to.
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

    /// Carries out the removals, then decides about the message, then does what can take long.
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
                withhold()
                isVetoed = true
            case .isNotice:
                if isSuppressing { answer.suppress() }
                isVetoed = true
            case .report(let event): report(event)
            default: break
            }
        }
        // Concurrently: a slow file server does not delay the receipts.
        async let receipts: Void = sendReceipts()
        if !isVetoed { await attach() }
        let patience = platform.clock.schedule(after: AppLimits.receiptTime) { [answer] in answer.give() }
        await receipts
        patience.cancel()
        answer.give()
    }

    private var isSuppressing: Bool { if case .suppress = onVeto { true } else { false } }

    private func withhold() {
        switch onVeto {
        case .suppress: answer.suppress()
        case .replaceText(let text):
            answer.change { content in
                content.becomeQuiet()
                content.title = ""
                content.subtitle = ""
                content.body = text
                content.badge = nil
                content.categoryIdentifier = ""
                content.attachments = []
            }
        }
    }

    private func attach() async {
        guard let media else { return }
        let loader = AttachmentLoader(
            isOnline: platform.isOnline, directory: platform.directory.appendingPathComponent("CarillonAttachments"))
        do {
            let attachment = try await loader.attachment(for: media, identifier: identifier)
            // iOS takes the file with the notification; after the answer nobody does.
            guard !answer.change({ $0.attachments.append(attachment) }) else { return }
            try? FileManager.default.removeItem(at: attachment.url)
            report(.attachmentFailed(identifier: identifier, reason: "its time was over"))
        } catch {
            report(.attachmentFailed(identifier: identifier, reason: error.reason))
        }
    }

    /// Sends the receipts that wait; those that do not get through are left to the app.
    private func sendReceipts() async {
        guard let service, let identity = store.identity else { return }
        await requests.send(platform.clock) {
            var hasWaited = false
            // Bounded, because what was sent waits again where that cannot be written down.
            for _ in 0..<AppLimits.receiptRequests {
                do {
                    guard try await sendBatch(to: service, as: identity) else { return }
                } catch {
                    guard !hasWaited, await mayTryAgain(after: error) else { return }
                    hasWaited = true
                }
            }
        }
    }

    /// Waits for as long as the service has asked for, each phone for another time, so that those it refused together, as
    /// after a broadcast, do not come back together.
    ///
    /// - Returns: `false` when it did not ask, or for longer than iOS leaves the extension.
    private func mayTryAgain(after error: any Error) async -> Bool {
        guard let asked = (error as? ServiceCallError)?.retryAfter else { return false }
        let wait = asked + asked * random.chance()
        guard platform.clock.uptime + wait < began + AppLimits.receiptTime else { return false }
        do { try await platform.clock.sleep(for: wait) } catch { return false }
        return true
    }

    /// - Returns: whether it was sent and there may be more.
    private func sendBatch(to service: ServiceClient, as identity: InstallationIdentity) async throws -> Bool {
        let contents = store.contents
        let batch = contents.policy.receipts.batch(at: platform.clock.now)
        guard contents.registration.confirmed != nil, !batch.isEmpty else { return false }
        let requestedAt = platform.clock.now
        let answer = try await service.send(batch, as: identity)
        store.update { [now = platform.clock.now] contents in
            contents.policy.receipts.settled(batch)
            contents.policy.time.heard(answer.now, askedAt: requestedAt, at: now)
        }
        return batch.count == AppLimits.receiptsPerBatch
    }
}

extension ExtensionWork: PlanHost {
    /// Reads what other processes have learnt, and leaves what this decision changes for the app.
    func decide<Value: Sendable>(_ decision: (inout MessagePolicy, MessageMoment) -> Value) -> Value {
        store.update { [now = platform.clock.now, isSuppressing] contents in
            let moment = MessageMoment(
                now: now, signedOut: contents.registration.isSignOutPending, maySuppress: isSuppressing)
            return decision(&contents.policy, moment)
        }
    }

    /// Each change is written at once.
    func save() {}

    /// Each decision knows what other processes have learnt by then.
    func takeOverFromExtension() {}

    func setBadge(_ count: Int, composedAt moment: Timestamp?) async {}

    /// The extension's subclass has decided that.
    func handles(_ payload: [String: JSONValue]) -> Bool { true }
}

extension UNMutableNotificationContent {
    fileprivate func becomeQuiet() {
        interruptionLevel = .passive
        sound = nil
    }
}

/// The extension's one answer to iOS: given when the work is done or its time is over, whichever comes first.
///
/// `@unchecked`: the handler and the content are touched under the lock only, and iOS keeps no hold of either.
final class ContentAnswer: @unchecked Sendable {
    private let lock = NSLock()
    private var handler: ((UNNotificationContent) -> Void)?
    private var content: UNNotificationContent

    init(_ content: UNNotificationContent, handler: @escaping (UNNotificationContent) -> Void) {
        self.content = content
        self.handler = handler
    }

    /// Changes what will be shown; has no effect after ``give()``.
    ///
    /// - Returns: whether it will be shown so.
    @discardableResult
    package func change(_ edit: (UNMutableNotificationContent) -> Void) -> Bool {
        lock.withLock {
            guard handler != nil, let copy = content.mutableCopy() as? UNMutableNotificationContent else {
                return false
            }
            edit(copy)
            content = copy
            return true
        }
    }

    /// Makes the notification empty, which iOS suppresses if the app has the filtering entitlement.
    func suppress() {
        lock.withLock { content = UNNotificationContent() }
    }

    /// Calls iOS's content handler; further calls have no effect.
    func give() {
        let pending = lock.withLock {
            defer { handler = nil }
            return handler.map { ($0, content) }
        }
        if let (handler, content) = pending { handler(content) }
    }
}
