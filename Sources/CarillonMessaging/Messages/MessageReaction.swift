/// What the person did with a notification.
package struct MessageReaction: Sendable, Hashable {
    /// The kinds of reactions, as receipts tell them.
    package enum Kind: Sendable, Hashable {
        /// The notification itself was tapped.
        case open
        /// It was swiped away.
        case dismiss
        /// A button was chosen; with what was typed, for one that asks for text.
        case act(String, text: String?)
    }

    package var kind: Kind
    /// Whether the message counts as read now.
    package var isReading: Bool

    package init(_ kind: Kind, isReading: Bool) {
        self.kind = kind
        self.isReading = isReading
    }
}
