import CarillonCore

/// The changes that any process has committed to the store since a given position (``Mark``).
package struct StoreNews: Sendable {
    /// The position after these changes, which the caller passes to the next call that reads changes.
    package var mark: Mark
    /// The timeline events recorded since the position that the caller gave, in the order of their recording.
    ///
    /// If there are more events than the call's limit, these are the newest.
    package var events: [TimelineEvent] = []
    /// The messages that have changed since the position that the caller gave.
    ///
    /// They were accepted, replaced, paused, resumed, cancelled or recalled. A message whose deliveries are kept as bitmaps with a bit for
    /// each device (``RangeRules``) is also included when its sending has made progress.
    package var messages: [MessageReference] = []

    /// Whether the feed of any app has events since the position that the caller gave.
    package var isFed = false

    package init(mark: Mark) { self.mark = mark }

    /// A position in the sequence of committed changes.
    ///
    /// A process that passes a position to the store knows all changes before it.
    package struct Mark: Sendable {
        /// The number of the newest event before this position.
        ///
        /// `message` is the number of the newest message before it, `change` that of the newest stored change of a message, and
        /// `feed` that of the newest row of all feeds.
        var event: Int64
        var message: Int64
        var change: Int64
        var feed: Int64
        /// The progress of the newest messages' sending at this position, by message number; `nil` if it was not read.
        ///
        /// It has the messages whose deliveries are kept as bitmaps with a bit for each device (``RangeRules``). A call that
        /// reads the changes since this position compares these states with the current ones.
        var progress: [Int64: [SQLValue]]?
    }

    /// A selection of the kinds of changes to read.
    package struct Selection: OptionSet, Sendable {
        package let rawValue: Int

        package static let events = Self(rawValue: 1)
        package static let messages = Self(rawValue: 2)

        package init(rawValue: Int) { self.rawValue = rawValue }
    }
}

/// An announcement to other processes, so that they look for changes in the store at once.
///
/// An announcement may be lost without harm, because each process also looks for changes at regular intervals.
package enum StoreAnnouncement: String, Sendable, CaseIterable {
    /// A push may be due, so that senders look for pushes to send.
    case due
    /// A timeline has new events, which other processes then publish to their own subscribers.
    case told
}
