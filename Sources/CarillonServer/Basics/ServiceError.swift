/// An error that stops a call, or the service itself.
struct ServiceError: Error, Sendable, CustomStringConvertible {
    struct Code: Sendable, Hashable {
        private enum Value {
            case configuration, storage, version, busy, full, unwritable, unknownOutcome, text, removed, notRunning
        }
        private let value: Value

        /// A setting is wrong; the description names the setting.
        static let configuration = Self(value: .configuration)
        /// The database does not meet the durability requirements.
        static let storage = Self(value: .storage)
        /// The database's tables have another version than this program expects; the call changed nothing.
        static let version = Self(value: .version)
        /// The database cannot be written now; the call changed nothing.
        static let busy = Self(value: .busy)
        /// The disk is full; the call changed nothing.
        static let full = Self(value: .full)
        /// The disk or the folder of the database cannot be written; the call changed nothing.
        static let unwritable = Self(value: .unwritable)
        /// The connection to the database was lost during a commit, or the disk failed during it.
        ///
        /// The database may or may not have made the commit.
        static let unknownOutcome = Self(value: .unknownOutcome)
        /// A text contains a character that the database cannot store; the call changed nothing.
        static let text = Self(value: .text)
        /// The app that the call is about was removed meanwhile; the call changed nothing.
        static let removed = Self(value: .removed)
        /// The service ended before it could answer the call.
        static let notRunning = Self(value: .notRunning)
    }

    let code: Code
    /// The fault and the remedy, in words.
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether the same call may succeed later, when the database can be reached or written again.
    var mayPass: Bool { [.busy, .full, .unwritable, .unknownOutcome].contains(code) }
}
