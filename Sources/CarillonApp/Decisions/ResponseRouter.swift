/// Brings each response to the app once: kept until the app says that it is ready (after a cold start its screens are
/// not there yet), and recognised when iOS hands over the same one twice, through the center's delegate and a scene's
/// connection options.
public struct ResponseRouter: Sendable, Hashable {
    /// Beyond this many waiting responses the oldest is given up.
    public static let waitingLimit = 20
    /// How many responses are remembered.
    public static let memoryLimit = 100

    /// What makes a response the same one: which notification, shown when, and what was done.
    public struct Key: Sendable, Hashable {
        public var identifier: String
        public var shownAtMilliseconds: Int64
        public var action: MessageResponse.Action

        public init(identifier: String, shownAtMilliseconds: Int64, action: MessageResponse.Action) {
            self.identifier = identifier
            self.shownAtMilliseconds = shownAtMilliseconds
            self.action = action
        }
    }

    public private(set) var isReady = false
    private var waiting: [MessageResponse] = []
    private var delivered: [Key] = []

    public init() {}

    /// - Returns: the response, if the app is to be told now.
    public mutating func received(_ response: MessageResponse, key: Key) -> MessageResponse? {
        guard !delivered.contains(key) else { return nil }
        delivered.append(key)
        if delivered.count > Self.memoryLimit { delivered.removeFirst() }
        if isReady { return response }
        waiting.append(response)
        if waiting.count > Self.waitingLimit { waiting.removeFirst() }
        return nil
    }

    /// Whether this very response was met before.
    public func knows(_ key: Key) -> Bool { delivered.contains(key) }

    /// The app can show something now.
    ///
    /// - Returns: what waited, oldest first.
    public mutating func becameReady() -> [MessageResponse] {
        isReady = true
        defer { waiting = [] }
        return waiting
    }
}
