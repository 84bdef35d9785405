import CarillonCore

/// The changes committed since a mark, by this process or another.
package struct StoreNews: Sendable {
    /// The mark for the next call.
    package var mark: Mark
    /// The events recorded since the mark, in their order; if there are more than the limit, the newest.
    package var events: [TimelineEvent] = []
    /// The messages that were accepted or steered, and range-sent messages that made progress.
    package var messages: [MessageReference] = []

    package init(mark: Mark) { self.mark = mark }

    /// A position up to which a caller knows the committed changes.
    package struct Mark: Sendable {
        /// The numbers of the newest event and the newest message.
        var event: Int64
        var message: Int64
        /// The states of the newest messages; `nil` if messages were not selected.
        var states: [Int64: [SQLValue]]?
    }

    /// The kinds of news to read.
    package struct Selection: OptionSet, Sendable {
        package let rawValue: Int

        package static let events = Self(rawValue: 1)
        package static let messages = Self(rawValue: 2)

        package init(rawValue: Int) { self.rawValue = rawValue }
    }
}

/// An announcement that makes other processes look at once instead of at their next turn.
///
/// It may be lost without harm.
package enum StoreAnnouncement: String, Sendable, CaseIterable {
    /// A push may be due.
    case due
    /// A timeline has changed.
    case told
}
