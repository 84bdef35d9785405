import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation
import UserNotifications

/// What must be true in every run: looked at after everything that happens, and once more after the last contact.
@MainActor
struct Invariants {
    let system: TestSystem
    private(set) var faults: [String] = []

    init(system: TestSystem) { self.system = system }

    private mutating func fault(_ text: String) {
        guard !faults.contains(text) else { return }
        faults.append(text)
        system.runLog.tell("WRONG: \(text)")
    }

    /// At every moment: no message is on a screen twice.
    mutating func look() {
        for phone in system.phones {
            let messages = phone.messagesOnScreen
            for message in Set(messages) where messages.filter({ $0 == message }).count > 1 {
                fault("\(phone.name) shows \(message) twice at once")
            }
        }
    }

    /// After the last contact.
    mutating func finish(_ sent: [RandomRun.Sent]) async throws {
        let inbox = try await system.service.store.inbox(
            user: TestSystem.user, before: nil, limit: 100, at: system.clock.now)
        for phone in system.phones {
            try await judgeMessages(of: phone, sent, inbox)
            try await judgeReceipts(of: phone, sent)
            judgeInbox(of: phone, inbox)
            judgeApp(of: phone, sent)
        }
        try await judgeSecondAlerts(sent)
    }

    private func isLive(_ message: RandomRun.Sent, _ inbox: [InboxEntry]) -> Bool {
        !message.isRecalled && (message.until.map { $0 > system.clock.now } ?? true)
            && inbox.contains { $0.id.rawValue == message.id && $0.readAt == nil }
    }

    private func isAllowed(_ phone: TestSystemPhone) -> Bool {
        phone.phone.authorizationStatus(of: InProcessService.topic) == .authorized
    }

    /// Each message is to be seen, or in the inbox, unless it may not be; and then it is not.
    private mutating func judgeMessages(
        of phone: TestSystemPhone, _ sent: [RandomRun.Sent], _ inbox: [InboxEntry]
    ) async throws {
        let listed = phone.carillon?.inbox ?? []
        for message in sent {
            if isLive(message, inbox) {
                let isListed = listed.contains { $0.id.rawValue == message.id && $0.revision == message.revision }
                if !isListed { fault("\(message.id) is not in the inbox of \(phone.name)") }
            } else if phone.onScreen.contains(message.id) {
                fault("\(message.id) is still on \(phone.name)")
            }
            guard message.isRecalled, let id = try? MessageID(message.id) else { continue }
            let answer = try await system.service.store.recallAnswer(id, limit: 100)
            let pending = answer?.devices.filter { $0.recall == .pending } ?? []
            if !pending.isEmpty { fault("the recall of \(message.id) is not confirmed") }
        }
    }

    /// Receipts say nothing that was not so, and nothing twice.
    private mutating func judgeReceipts(of phone: TestSystemPhone, _ sent: [RandomRun.Sent]) async throws {
        for message in sent {
            guard let id = try? MessageID(message.id), let installation = phone.carillon?.installation else { continue }
            let timeline = try await system.service.store.timeline(id, after: nil, limit: 100, at: system.clock.now)
            let events = timeline?.devices.first { $0.device == installation }?.events ?? []
            let receipts = events.filter { $0.event.isReceipt && $0.inferred != true }
            let said = receipts.map { "\($0.event.rawValue) \($0.revision) \($0.detail ?? "")" }
            if Set(said).count != said.count { fault("\(phone.name) has said of \(id) twice: \(said)") }
            if receipts.contains(where: { $0.event == .shown }), !phone.seen.contains(message.id) {
                fault("\(phone.name) claims to have shown \(id), and has not")
            }
            if message.revision == 1, phone.seen.contains(message.id),
                !receipts.contains(where: { $0.event == .shown }),
                phone.hasExtension == false, isAllowed(phone), phone.onScreen.contains(message.id)
            {
                fault("\(phone.name) shows \(id), and does not say so")
            }
        }
    }

    /// The inbox and the number are what the service says.
    private mutating func judgeInbox(of phone: TestSystemPhone, _ inbox: [InboxEntry]) {
        let listed = phone.carillon?.inbox ?? []
        let theirs = inbox.map { "\($0.id) \($0.revision) \($0.readAt == nil ? "unread" : "read")" }
        let ours = listed.map { "\($0.id) \($0.revision) \($0.isRead ? "read" : "unread")" }
        if theirs != ours { fault("\(phone.name) lists \(ours), the service \(theirs)") }
        let unread = inbox.filter { $0.readAt == nil }.count
        let badge = phone.phone.badge(of: InProcessService.topic)
        if isAllowed(phone), badge != unread { fault("\(phone.name) has the number \(badge), \(unread) are unread") }
    }

    /// The app heard of each revision once, and every completion handler was called once, in time.
    private mutating func judgeApp(of phone: TestSystemPhone, _ sent: [RandomRun.Sent]) {
        for message in sent {
            let times = phone.diary.lines.filter { $0.hasPrefix("message \(message.id): ") }.count
            if times > message.revision {
                fault("the app on \(phone.name) heard \(times) times of \(message.id): \(phone.diary.lines)")
            }
        }
        for event in phone.log.all {
            switch event {
            case .serviceFailed, .completed, .notificationFailed, .completionWasLate: break
            default: fault("the SDK on \(phone.name) reported \(event)")
            }
        }
        for trace in phone.phone.pushLog {
            if let wake = trace.wake, wake.answerCount > 1 || wake.answer == .never {
                fault("\(phone.name) answered push \(trace.number) \(wake.answerCount) times: \(trace.notes)")
            }
        }
    }

    /// With the service extension nobody is alerted twice. Without it, whoever was alerted by the app and then by the
    /// visible push is counted.
    private mutating func judgeSecondAlerts(_ sent: [RandomRun.Sent]) async throws {
        for message in sent where message.revision == 1 {
            guard let id = try? MessageID(message.id) else { continue }
            var alertedAgain = 0
            for phone in system.phones {
                let alerts = phone.alerts[message.id] ?? []
                if phone.hasExtension, alerts.count > 1 { fault("\(phone.name) alerted to \(id) by \(alerts)") }
                if alerts.starts(with: [.local, .push]) { alertedAgain += 1 }
            }
            let counted = try await system.service.store.report(id, at: system.clock.now)?.counts.secondAlerts ?? 0
            if counted < alertedAgain {
                fault("\(alertedAgain) phones alerted again to \(id); the service counts \(counted)")
            }
        }
    }
}
