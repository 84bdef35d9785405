import CarillonCore

/// The changes committed since a mark, by this process or another.
package struct StoreNews: Sendable {
    /// The mark for the next call.
    package var mark: Mark
    /// The events recorded since the mark, in order.
    ///
    /// If there are more than the limit, these are the newest.
    package var events: [TimelineEvent] = []
    /// The messages that were accepted or steered, and range-sent messages that made progress.
    package var messages: [MessageReference] = []

    package init(mark: Mark) { self.mark = mark }

    /// A position in the sequence of committed changes.
    ///
    /// The caller knows all changes before it.
    package struct Mark: Sendable {
        /// The numbers of the newest event and the newest message.
        var event: Int64
        var message: Int64
        /// The states of the newest messages, to compare with the next call; `nil` if messages were not selected.
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

/// An announcement that makes other processes look for changes at once.
///
/// It may be lost without harm, because they also look at regular intervals.
package enum StoreAnnouncement: String, Sendable, CaseIterable {
    /// A push may be due.
    case due
    /// A timeline has changed.
    case told
}
