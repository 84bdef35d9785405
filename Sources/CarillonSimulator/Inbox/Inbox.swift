import CarillonCore
import Foundation

/// The requests in the journal as a person reads them: newest first, in pages, searchable, each with its explanation.
struct Inbox: Sendable {
    private let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    /// The number of the journal's newest entry; 0 before the first one.
    var newest: Int { journal.lastNumber }

    /// Returns the journal's entries from now on.
    func news() -> AsyncStream<SimulatorEvent> { journal.news() }

    /// One page of requests.
    struct Page: Sendable {
        /// The requests' entries, newest first.
        var events: [SimulatorEvent] = []
        /// The `before` of the next page; `nil` if no older entry is left.
        var older: Int?
        /// The number of entries that were looked at.
        var scannedCount = 0
    }

    /// Returns the newest requests that a query takes.
    ///
    /// The method looks at ``SimulatorLimits/inboxScan`` entries at most, so a page can be short, or empty, although there are
    /// older requests.
    func page(_ query: InboxQuery) -> Page {
        var page = Page()
        var end = min(query.before ?? .max, journal.lastNumber + 1)
        while page.scannedCount < SimulatorLimits.inboxScan {
            let slice = journal.entries(max(1, end - SimulatorLimits.inboxSlice)..<end)
            guard let first = slice.first else { return page }
            for event in slice.reversed() {
                page.scannedCount += 1
                end = event.number
                guard let record = event.request, query.takes(record) else { continue }
                page.events.append(event)
                if page.events.count == query.limit { break }
            }
            if page.events.count == query.limit || end > first.number { break }
        }
        page.older = journal.entries(max(1, end - 1)..<end).isEmpty ? nil : end
        return page
    }

    /// Returns the entry of a request; `nil` if the journal has no request with this number.
    func request(_ number: Int) -> SimulatorEvent? {
        guard number > 0, number < .max else { return nil }
        return journal.entries(number..<number + 1).first { $0.request != nil }
    }

    /// Returns what became of an accepted push on its devices, oldest event first.
    ///
    /// The method looks at ``SimulatorLimits/inboxScan`` entries after the request, and stops at a later request with this
    /// `apns-id`.
    func events(about event: SimulatorEvent) -> [SimulatorEvent] {
        guard let record = event.request, record.decision == .accepted, let id = UUID(uuidString: record.apnsID) else {
            return []
        }
        var events: [SimulatorEvent] = []
        for later in journal.entries(event.number + 1..<event.number + SimulatorLimits.inboxScan) {
            if later.request?.apnsID == record.apnsID { break }
            if later.device?.push?.apnsID == id { events.append(later) }
        }
        return events
    }
}
