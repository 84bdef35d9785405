/// Why the service cannot start or go on.
package struct ServiceError: Error, Sendable, CustomStringConvertible {
    package struct Code: Sendable, Hashable {
        private enum Value { case configuration, storage, notRunning }
        private let value: Value

        /// A setting is wrong; the message says which.
        package static let configuration = Self(value: .configuration)
        /// The database does not do what durability needs.
        package static let storage = Self(value: .storage)
        /// The service ended before it could answer.
        package static let notRunning = Self(value: .notRunning)
    }

    package let code: Code
    /// What is wrong and what to do.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
