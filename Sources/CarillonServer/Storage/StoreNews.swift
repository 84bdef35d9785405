import CarillonCore

/// What was committed since a mark, by this process or another.
package struct StoreNews: Sendable {
    /// Where to go on.
    package var mark: Mark
    /// What was written down about messages, in its order; if that is more than was asked for, the newest.
    package var events: [TimelineEvent] = []
    /// Messages that were accepted, steered or, where they are sent by ranges, went on.
    package var messages: [MessageReference] = []

    package init(mark: Mark) { self.mark = mark }

    /// Up to where somebody knows what was committed.
    package struct Mark: Sendable {
        /// The newest event and the newest message.
        var event: Int64
        var message: Int64
        /// How the newest messages stood; `nil` where nobody has asked.
        var states: [Int64: [SQLValue]]?
    }

    /// What to read beyond the mark.
    package struct Selection: OptionSet, Sendable {
        package let rawValue: Int

        package static let events = Self(rawValue: 1)
        package static let messages = Self(rawValue: 2)

        package init(rawValue: Int) { self.rawValue = rawValue }
    }
}

/// What a process tells the others, so that they look at once and not at their next turn.
///
/// It may be lost without harm.
package enum StoreAnnouncement: String, Sendable, CaseIterable {
    /// Something may be due.
    case due
    /// A timeline has changed.
    case told
}
