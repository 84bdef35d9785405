extension Carillon {
    /// What the person did with a notification.
    public struct Response: Sendable, Hashable {
        /// The kinds of things that a person does with a notification.
        public enum Action: Sendable, Hashable {
            /// Tapped it.
            case open
            /// Cleared it; reported only for a category with `.customDismissAction`.
            case dismiss
            /// Chose the button with this identifier.
            case chose(String)
            /// Wrote a text into the field of the button with this identifier.
            case replied(String, text: String)
        }

        /// The notification's message.
        public var message: Carillon.Message
        /// What the person did with it.
        public var action: Action

        /// Makes a response, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - message: the notification's message.
        ///   - action: what the person did with it.
        public init(message: Carillon.Message, action: Action) {
            self.message = message
            self.action = action
        }
    }
}
