import CarillonMessaging

/// What came before the app had said who hears of it: kept, so that the order in which handlers are set does not matter.
package struct Unheard: Sendable, Hashable {
    private var messages: [Carillon.Message] = []
    private var responses: [Carillon.Response] = []
    private var removals: [Carillon.Removal] = []

    package init() {}

    package mutating func add(_ message: Carillon.Message) { Self.add([message], to: &messages) }
    package mutating func add(_ response: Carillon.Response) { Self.add([response], to: &responses) }
    package mutating func add(_ removed: [Carillon.Removal]) { Self.add(removed, to: &removals) }

    /// What waited, oldest first; afterwards nothing waits.
    package mutating func takeMessages() -> [Carillon.Message] { Self.take(&messages) }
    package mutating func takeResponses() -> [Carillon.Response] { Self.take(&responses) }
    package mutating func takeRemovals() -> [Carillon.Removal] { Self.take(&removals) }

    private static func add<Value>(_ values: [Value], to list: inout [Value]) {
        list = (list + values).suffix(AppLimits.unheard)
    }

    private static func take<Value>(_ list: inout [Value]) -> [Value] {
        defer { list = [] }
        return list
    }
}
