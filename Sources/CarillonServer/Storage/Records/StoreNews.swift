import CarillonCore

/// The changes that any process has committed since a ``Mark``.
package struct StoreNews: Sendable {
    /// The position after these changes; the caller passes it to the next call that reads changes.
    package var mark: Mark
    /// The events recorded since the previous ``mark``, in order.
    ///
    /// If there are more events than the call's limit, these are the newest.
    package var events: [TimelineEvent] = []
    /// The messages that have changed since the previous ``mark``.
    ///
    /// These messages were accepted, paused, resumed, cancelled or recalled, or were sent as ranges of devices (``RangeRules``)
    /// and made progress.
    package var messages: [MessageReference] = []

    package init(mark: Mark) { self.mark = mark }

    /// A position in the sequence of committed changes.
    ///
    /// The caller knows all changes before this position.
    package struct Mark: Sendable {
        /// The number of the newest event.
        ///
        /// `message` is the number of the newest message.
        var event: Int64
        var message: Int64
        /// The states of the newest messages by number, for comparison at the next call.
        ///
        /// The value is `nil` if the call did not select messages.
        var states: [Int64: [SQLValue]]?
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
    /// Announces that a push may be due.
    case due
    /// Announces that a timeline has changed.
    case told
}
