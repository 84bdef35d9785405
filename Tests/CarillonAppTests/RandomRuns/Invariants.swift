import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import CarillonServer
import Foundation
import UserNotifications

/// The conditions that every run must meet: one is checked after every event, the others after the last contact.
@MainActor
struct Invariants {
    let system: TestSystem
    private(set) var violations: [String] = []

    init(system: TestSystem) { self.system = system }

    private mutating func violation(_ text: String) {
        guard !violations.contains(text) else { return }
        violations.append(text)
        system.runLog.add("VIOLATION: \(text)")
    }

    /// At every moment: no message is in a phone's list twice.
    mutating func checkScreens() {
        for phone in system.phones {
            let messages = phone.messagesOnScreen
            for message in Set(messages) where messages.filter({ $0 == message }).count > 1 {
                violation("\(phone.name) shows \(message) twice at once")
            }
        }
    }

    /// After the last contact: messages, receipts, inbox, badge, and what the app received.
    mutating func finish(_ sent: [RandomRun.Sent]) async throws {
        let inbox = try await system.service.store.users.inbox(
            user: UserReference(TestSystem.user, of: system.service.app.number), in: nil, before: nil, limit: 100,
            at: system.clock.now)
        for phone in system.phones {
            try await checkMessages(of: phone, sent, inbox)
            try await checkReceipts(of: phone, sent)
            checkInbox(of: phone, inbox)
            checkRequests(of: phone)
            checkApp(of: phone, sent)
        }
        try await checkSecondAlerts(sent)
    }

    private func isLive(_ message: RandomRun.Sent, _ inbox: [InboxEntry]) -> Bool {
        !message.isRecalled && (message.until.map { $0 > system.clock.now } ?? true)
            && inbox.contains { $0.id.rawValue == message.id && $0.readAt == nil }
    }

    private func isAllowed(_ phone: TestSystemPhone) -> Bool {
        phone.phone.authorizationStatus(of: InProcessService.topic) == .authorized
    }

    /// Each message that may be seen is in the inbox, and no other message is in the list.
    private mutating func checkMessages(
        of phone: TestSystemPhone, _ sent: [RandomRun.Sent], _ inbox: [InboxEntry]
    ) async throws {
        let listed = phone.carillon?.inbox ?? []
        for message in sent {
            if isLive(message, inbox) {
                let isListed = listed.contains { $0.id.rawValue == message.id && $0.revision == message.revision }
                if !isListed { violation("\(message.id) is not in the inbox of \(phone.name)") }
            } else if phone.onScreen.contains(message.id) {
                violation("\(message.id) is still on \(phone.name)")
            }
            guard message.isRecalled, let id = try? MessageID(message.id) else { continue }
            let answer = try await system.service.store.messages.recallAnswer(system.service.message(id), limit: 100)
            let pending = answer?.devices.filter { [.pending, .replaced].contains($0.recall) } ?? []
            if !pending.isEmpty { violation("the recall of \(message.id) is not confirmed") }
        }
    }

    /// No receipt is untrue, and none was written twice.
    private mutating func checkReceipts(of phone: TestSystemPhone, _ sent: [RandomRun.Sent]) async throws {
        for message in sent {
            guard let id = try? MessageID(message.id), let installation = phone.carillon?.installationID else {
                continue
            }
            let timeline = try await system.service.store.messages.timeline(
                system.service.message(id), after: nil, limit: 100, at: system.clock.now)
            let events = timeline?.devices.first { $0.device == installation }?.events ?? []
            let receipts = events.filter { $0.event.isReceipt && $0.inferred != true }
            let said = receipts.map { "\($0.event.rawValue) \($0.revision) \($0.detail ?? "")" }
            if Set(said).count != said.count { violation("\(phone.name) has said of \(id) twice: \(said)") }
            if receipts.contains(where: { $0.event == .shown }), !phone.seen.contains(message.id) {
                violation("\(phone.name) claims to have shown \(id), and has not")
            }
            if message.revision == 1, phone.seen.contains(message.id),
                !receipts.contains(where: { $0.event == .shown }),
                phone.hasExtension == false, isAllowed(phone), phone.onScreen.contains(message.id)
            {
                violation("\(phone.name) shows \(id), and does not say so")
            }
        }
    }

    /// The inbox and the badge are those of the service.
    private mutating func checkInbox(of phone: TestSystemPhone, _ inbox: [InboxEntry]) {
        let listed = phone.carillon?.inbox ?? []
        let theirs = inbox.map { "\($0.id) \($0.revision) \($0.readAt == nil ? "unread" : "read")" }
        let ours = listed.map { "\($0.id) \($0.revision) \($0.isRead ? "read" : "unread")" }
        if theirs != ours { violation("\(phone.name) lists \(ours), the service \(theirs)") }
        let unread = inbox.filter { $0.readAt == nil }.count
        let badge = phone.phone.badge(of: InProcessService.topic)
        if isAllowed(phone), badge != unread {
            violation("\(phone.name) has the number \(badge), \(unread) are unread")
        }
    }

    /// A phone leaves the service alone: no loop of requests, whatever fails.
    ///
    /// In a minute a run has about eight occasions for an exchange: what the person does, pushes, and the ends of back-offs. An
    /// exchange has at most nine requests: four of the registration, and one of each other kind.
    private mutating func checkRequests(of phone: TestSystemPhone) {
        let count = phone.transport.requestsPerMinute
        system.runLog.add("\(phone.name): at most \(count) requests in a minute")
        if count > Self.requestsPerMinute { violation("\(phone.name) has made \(count) requests in a minute") }
    }

    private static let requestsPerMinute = 72

    /// The app received each revision once, and every completion handler was called once, in time.
    private mutating func checkApp(of phone: TestSystemPhone, _ sent: [RandomRun.Sent]) {
        for message in sent {
            let times = phone.callbackLog.lines.filter { $0.hasPrefix("message \(message.id): ") }.count
            if times > message.revision {
                violation("the app on \(phone.name) heard \(times) times of \(message.id): \(phone.callbackLog.lines)")
            }
        }
        for event in phone.log.all {
            switch event {
            case .serviceFailed, .completed, .notificationFailed, .completionWasLate: break
            default: violation("the SDK on \(phone.name) reported \(event)")
            }
        }
        for trace in phone.phone.pushLog {
            if let wake = trace.wake, wake.answerCount > 1 || wake.answer == .never {
                violation("\(phone.name) answered push \(trace.number) \(wake.answerCount) times: \(trace.notes)")
            }
        }
    }

    /// With the service extension nobody is alerted twice.
    ///
    /// Without it, a phone that alerted by the app's notification and then by the visible push is counted.
    private mutating func checkSecondAlerts(_ sent: [RandomRun.Sent]) async throws {
        for message in sent where message.revision == 1 {
            guard let id = try? MessageID(message.id) else { continue }
            var alertedAgain = 0
            for phone in system.phones {
                let alerts = phone.alerts[message.id] ?? []
                if phone.hasExtension, alerts.count > 1 { violation("\(phone.name) alerted to \(id) by \(alerts)") }
                if alerts.starts(with: [.local, .push]) { alertedAgain += 1 }
            }
            let counted =
                try await system.service.store.messages.report(system.service.message(id), at: system.clock.now)?.counts
                .secondAlerts ?? 0
            if counted < alertedAgain {
                violation("\(alertedAgain) phones alerted again to \(id); the service counts \(counted)")
            }
        }
    }
}
