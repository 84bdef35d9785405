/// What is wrong with a payload, and under which key.
public struct PayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path to the offending key, such as `aps.alert.title`; empty for the payload as a whole.
    public let key: String

    /// What is wrong, as the rest of a sentence that begins with the key.
    public let problem: String

    package init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }

    /// A sentence: the key, if there is one, and the problem.
    public var description: String { key.isEmpty ? problem : "\(key) \(problem)" }
}
