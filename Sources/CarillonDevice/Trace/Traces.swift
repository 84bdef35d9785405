import CarillonCore
import Foundation
import UserNotifications

/// The phone's log of pushes, notifications and other events.
@MainActor final class Traces {
    private let kernel: PhoneKernel
    private var log = PhoneLog()

    init(kernel: PhoneKernel) { self.kernel = kernel }

    /// The trace entries that the phone keeps, oldest first.
    var entries: [PushTrace] { log.entries }

    func entry(_ number: Int) -> PushTrace? { log.entry(number) }

    /// Adds an entry for an event that happens now.
    ///
    /// - Parameters:
    ///   - origin: the kind of event.
    ///   - bundleID: the receiving app.
    ///   - edit: sets the properties that are already known.
    /// - Returns: the entry.
    func begin(
        _ origin: PushTrace.Origin, of bundleID: String, _ edit: (inout PushTrace) -> Void = { _ in }
    ) -> TraceEntry {
        let now = kernel.now
        let number = log.begin { number in
            var trace = PushTrace(number: number, origin: origin, arrivedAt: now, topic: bundleID)
            edit(&trace)
            return trace
        }
        kernel.changed(.log(number))
        return TraceEntry(number: number, of: self)
    }

    /// Adds an entry for an event that is neither a push nor a notification.
    func begin(event: String, of bundleID: String) -> TraceEntry { begin(.event, of: bundleID) { $0.event = event } }

    /// Adds a note to the newest entry that records the notification of `response`.
    func note(_ sentence: String, about response: UNNotificationResponse) {
        let id = response.notification.request.identifier
        guard let entry = log.last(where: { $0.notificationID == id }) else { return }
        TraceEntry(number: entry.number, of: self).note(sentence)
    }

    /// Adds a reason to the trace entries of notifications that were removed from the notification center.
    func note(_ gone: [NotificationList.Delivered], haveLeftBecause cause: String) {
        for number in gone.compactMap(\.entry) {
            TraceEntry(number: number, of: self).note("no longer in the list: \(cause)")
        }
    }

    fileprivate func update(_ number: Int, _ edit: (inout PushTrace) -> Void) {
        log.update(number, edit)
        kernel.changed(.log(number))
    }
}

/// A handle for writing into a trace entry.
///
/// Changes to an entry that is no longer kept are dropped.
@MainActor struct TraceEntry {
    /// The number of the entry, from 1 on each phone.
    let number: Int
    private let traces: Traces

    fileprivate init(number: Int, of traces: Traces) {
        self.number = number
        self.traces = traces
    }

    func update(_ edit: (inout PushTrace) -> Void) { traces.update(number, edit) }

    func note(_ sentence: String) { update { $0.notes.append(sentence) } }

    /// Marks this trace entry as finished, unless the phone still waits for the app's answer or holds the push back.
    func finish(note: String? = nil) {
        update { trace in
            if let note { trace.notes.append(note) }
            trace.isFinished = trace.wake.map { $0.kind != .held && ($0.answer != nil || $0.kind == .notWoken) } ?? true
        }
    }
}

/// The newest trace entries of a phone; a further entry replaces the oldest.
struct PhoneLog: Sendable {
    /// The newest entries, oldest first: all that the phone keeps, and perhaps some older ones.
    ///
    /// Older entries are removed only when the list has twice as many as ``PhoneLimits/traces``, because removal takes time.
    private var kept: [PushTrace] = []
    private var lastNumber = 0

    /// The trace entries that the phone keeps, oldest first.
    var entries: [PushTrace] { kept.suffix(PhoneLimits.traces) }

    /// Adds an entry to the log.
    ///
    /// - Parameter make: makes the entry that has the given number.
    /// - Returns: the number of the entry.
    mutating func begin(_ make: (Int) -> PushTrace) -> Int {
        lastNumber += 1
        kept.append(make(lastNumber))
        if kept.count >= 2 * PhoneLimits.traces { kept.removeFirst(kept.count - PhoneLimits.traces) }
        return lastNumber
    }

    mutating func update(_ number: Int, _ edit: (inout PushTrace) -> Void) {
        if let index = index(of: number) { edit(&kept[index]) }
    }

    func entry(_ number: Int) -> PushTrace? { index(of: number).map { kept[$0] } }

    /// Returns the newest entry for which `matches` returns `true`.
    func last(where matches: (PushTrace) -> Bool) -> PushTrace? {
        kept.suffix(PhoneLimits.traces).last(where: matches)
    }

    /// Returns the position of the entry with this number; `nil` if it is no longer kept.
    ///
    /// The number gives the position, because the numbers have no gaps.
    private func index(of number: Int) -> Int? {
        let fromEnd = lastNumber - number
        return fromEnd >= 0 && fromEnd < min(kept.count, PhoneLimits.traces) ? kept.count - 1 - fromEnd : nil
    }
}
