import CarillonCore
import Foundation
import UserNotifications

/// What the phone writes down of pushes, notifications and other events.
extension Phone {
    /// An entry among the traces for something that is neither a push nor a notification.
    func beginEvent(_ event: String, of bundleID: String) -> Int {
        let now = clock.now
        let number = log.begin { number in
            var trace = PushTrace(number: number, origin: .event, arrivedAt: now, topic: bundleID)
            trace.event = event
            return trace
        }
        changed(.log(number))
        return number
    }

    /// Changes an entry; does nothing for one that is no longer kept.
    func update(_ number: Int, _ edit: (inout PushTrace) -> Void) {
        log.update(number, edit)
        changed(.log(number))
    }

    /// Ends an entry, unless the app still owes an answer or the push is held.
    func finish(_ number: Int, note: String? = nil) {
        update(number) { trace in
            if let note { trace.notes.append(note) }
            trace.isFinished = trace.wake.map { $0.kind != .held && ($0.answer != nil || $0.kind == .notWoken) } ?? true
        }
    }

    func note(_ sentence: String, in number: Int) { update(number) { $0.notes.append(sentence) } }

    /// Notes something in the newest entry of the notification that the response is to.
    func note(_ sentence: String, about response: UNNotificationResponse) {
        let id = response.notification.request.identifier
        guard let entry = log.last(where: { $0.notificationID == id }) else { return }
        note(sentence, in: entry.number)
    }
}
