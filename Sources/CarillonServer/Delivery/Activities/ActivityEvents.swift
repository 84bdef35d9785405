import CarillonCore

/// The newest event of each kind of a Live Activity on one phone: the answers of APNs, and the phone's receipts.
package struct ActivityEvents: Sendable, Hashable, Codable {
    package struct Entry: Sendable, Hashable, Codable {
        package var at: Timestamp
        /// The `timestamp` of the push that the event is about, in seconds since 1970; absent for an event about none.
        package var timestamp: Int64?
        /// The reason of APNs, or the key that the app cannot decode; absent otherwise.
        package var detail: String?
    }

    private(set) var entries: [String: Entry] = [:]

    init() {}

    package init(from decoder: any Decoder) throws {
        entries = try decoder.singleValueContainer().decode([String: Entry].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(entries)
    }

    subscript(event: ActivityEventKind) -> Entry? { entries[event.rawValue] }

    /// Records an answer of APNs.
    mutating func record(_ event: ActivityEventKind, _ entry: Entry) { entries[event.rawValue] = entry }

    /// Records a receipt.
    ///
    /// - Returns: whether it is news: the first start, a later content than that of the receipt before, or a later event.
    mutating func record(_ receipt: LiveActivityReceipt) -> Bool {
        let known = self[ActivityEventKind(receipt.event)]
        let isNews =
            switch receipt.event {
            case .started: known == nil
            case .updated, .undecodable: (known?.timestamp ?? .min) < receipt.timestamp ?? .min
            case .stale, .ended, .dismissed: known.map { $0.at < receipt.at } ?? true
            }
        guard isNews else { return false }
        record(
            ActivityEventKind(receipt.event),
            Entry(at: receipt.at, timestamp: receipt.timestamp, detail: receipt.detail))
        return true
    }

    /// The events that the phone has reported, as bits in the order of `LiveActivityReceipt.Event`.
    var reported: Int {
        LiveActivityReceipt.Event.allCases.enumerated().reduce(0) { bits, event in
            self[ActivityEventKind(event.element)] == nil ? bits : bits | 1 << event.offset
        }
    }

    /// Returns the events of the bits of ``reported``; `updated` only if the phone shows the newest state.
    static func events(in bits: Int, showsNewest: Bool) -> [LiveActivityReceipt.Event] {
        LiveActivityReceipt.Event.allCases.enumerated().compactMap { index, event in
            bits & 1 << index == 0 || event == .updated && !showsNewest ? nil : event
        }
    }

    /// The events in the order of their times.
    var timeline: [LiveActivityTimeline.Event] {
        ActivityEventKind.allCases.compactMap { event in
            self[event].map {
                LiveActivityTimeline.Event(event: event, at: $0.at, timestamp: $0.timestamp, detail: $0.detail)
            }
        }.sorted { $0.at < $1.at }
    }
}
