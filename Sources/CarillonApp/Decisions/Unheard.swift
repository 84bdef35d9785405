import CarillonMessaging

/// What came before the app had said who hears of it: kept, so that the order in which handlers are set does not matter.
package struct Unheard: Sendable, Hashable {
    private var messages: [AppMessage] = []
    private var responses: [MessageResponse] = []
    private var removals: [RemovedMessage] = []

    package init() {}

    package mutating func add(_ message: AppMessage) { Self.add([message], to: &messages) }
    package mutating func add(_ response: MessageResponse) { Self.add([response], to: &responses) }
    package mutating func add(_ removed: [RemovedMessage]) { Self.add(removed, to: &removals) }

    /// What waited, oldest first; afterwards nothing waits.
    package mutating func takeMessages() -> [AppMessage] { Self.take(&messages) }
    package mutating func takeResponses() -> [MessageResponse] { Self.take(&responses) }
    package mutating func takeRemovals() -> [RemovedMessage] { Self.take(&removals) }

    private static func add<Value>(_ values: [Value], to list: inout [Value]) {
        list = (list + values).suffix(AppLimits.unheard)
    }

    private static func take<Value>(_ list: inout [Value]) -> [Value] {
        defer { list = [] }
        return list
    }
}
