/// An error that stops a call, or the service itself.
struct ServiceError: Error, Sendable, CustomStringConvertible {
    struct Code: Sendable, Hashable {
        private enum Value { case configuration, storage, version, busy, full, unknownOutcome, text, notRunning }
        private let value: Value

        /// A setting is wrong; the description says which.
        static let configuration = Self(value: .configuration)
        /// The database does not meet the durability requirements.
        static let storage = Self(value: .storage)
        /// The tables have another version than this program expects; nothing was changed.
        static let version = Self(value: .version)
        /// The database cannot be written now; nothing was changed.
        static let busy = Self(value: .busy)
        /// The disk is full; nothing was changed.
        static let full = Self(value: .full)
        /// The connection to the database was lost during a commit.
        ///
        /// The commit may or may not have happened.
        static let unknownOutcome = Self(value: .unknownOutcome)
        /// A text contains a character that the database cannot store; nothing was changed.
        static let text = Self(value: .text)
        /// The service ended before it could answer.
        static let notRunning = Self(value: .notRunning)
    }

    let code: Code
    /// The fault, and what to do.
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
