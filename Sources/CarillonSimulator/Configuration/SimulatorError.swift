/// An error that explains why a simulator could not start, or why a method of the simulator failed.
public struct SimulatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure.
    ///
    /// Further codes may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case invalidCredential, invalidConfiguration, cannotListen, isShutDown, unknownChannel
        }
        private let value: Value
        private init(_ value: Value) { self.value = value }

        /// A given key or certificate cannot be parsed.
        public static let invalidCredential = Code(.invalidCredential)
        /// A value of ``SimulatorConfiguration`` is out of its range.
        public static let invalidConfiguration = Code(.invalidConfiguration)
        /// The address cannot be bound.
        public static let cannotListen = Code(.cannotListen)
        /// The simulator has been shut down.
        public static let isShutDown = Code(.isShutDown)

        /// The app has no broadcast channel with this id.
        public static let unknownChannel = Code(.unknownChannel)

        /// The code's name, such as `cannotListen`.
        public var description: String { value.rawValue }
    }

    /// The kind of this failure.
    public let code: Code
    /// A description of the error, followed by advice on what to do.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
