/// Why the service cannot start or go on.
public struct ServiceError: Error, Sendable, CustomStringConvertible {
    public struct Code: Sendable, Hashable {
        private enum Value { case configuration, storage, notRunning }
        private let value: Value

        /// A setting is wrong; the message says which.
        public static let configuration = Self(value: .configuration)
        /// The database does not do what durability needs.
        public static let storage = Self(value: .storage)
        /// The service ended before it could answer.
        public static let notRunning = Self(value: .notRunning)
    }

    public let code: Code
    /// What is wrong and what to do.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
