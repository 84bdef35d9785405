import CarillonCore
import Foundation
import UserNotifications

/// What the service extension does with one push.
struct ExtensionWork: Sendable {
    /// What becomes of a message that may not be seen.
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
        let interpreter = MessageInterpreter(host: self, center: notificationCenter)
        await interpreter.carryOut(.alerted(message, instructions)) { notice in
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
            answer.change { $0.attachments.append(attachment) }
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

extension ExtensionWork: MessageHost {
    func received(_ event: MessageEvent) -> [MessageAction] {
        store.update { [now = platform.clock.now, isSuppressing] contents in
            let situation = MessageSituation(
                signedOut: contents.registration.isSignOutPending, maySuppress: isSuppressing)
            return contents.policy.received(event, in: situation, at: now)
        }
    }

    /// Each change is written at once.
    func save() {}

    /// Each event is given with what other processes know by then.
    func takeOverFromExtension() {}

    func setBadge(_ count: Int, composedAt moment: Timestamp?) async {}
}

extension UNMutableNotificationContent {
    fileprivate func becomeQuiet() {
        interruptionLevel = .passive
        sound = nil
    }
}
