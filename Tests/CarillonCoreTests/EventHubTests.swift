import CarillonCore
import Testing

@Suite("Event hub")
struct EventHubTests {
    private func read<Event>(_ stream: AsyncStream<Event>) async -> [Event] {
        var events: [Event] = []
        for await event in stream { events.append(event) }
        return events
    }

    @Test("a reader gets the greeting first, then every event in order, and its stream ends with the hub")
    func greeting() async throws {
        let hub = EventHub<Int>(backlogLimit: 10, overflow: .losesOldest)
        hub.publish { 0 }
        let stream = try #require(hub.subscribe { [100, 101] })
        hub.publish { 1 }
        hub.publish { nil }
        hub.publish([2, 3])
        hub.finish()
        #expect(await read(stream) == [100, 101, 1, 2, 3])
    }

    @Test("a slow reader loses the oldest events, and holds nobody up")
    func losesOldest() async throws {
        let hub = EventHub<Int>(backlogLimit: 4, overflow: .losesOldest)
        let stream = try #require(hub.subscribe())
        for number in 0..<10 { hub.publish { number } }
        hub.finish()
        #expect(await read(stream) == [6, 7, 8, 9])
    }

    @Test("or is cut off with what came first, and the others go on")
    func endsStream() async throws {
        let hub = EventHub<Int>(backlogLimit: 4, overflow: .endsStream)
        let slow = try #require(hub.subscribe())
        for number in 0..<5 { hub.publish { number } }
        let quick = try #require(hub.subscribe())
        hub.publish { 5 }
        #expect(await read(slow) == [0, 1, 2, 3])
        hub.finish()
        #expect(await read(quick) == [5])
    }

    @Test("as many may read as the limit says, and one that leaves makes room")
    func readerLimit() async throws {
        let hub = EventHub<Int>(readerLimit: 3, backlogLimit: 1, overflow: .losesOldest)
        var streams = (0..<3).compactMap { _ in hub.subscribe() }
        #expect(streams.count == 3)
        #expect(hub.subscribe() == nil)
        streams.removeLast()
        #expect(hub.subscribe() != nil)
        streams = []
        #expect(!hub.hasReaders)
        let stream = hub.subscribe()
        #expect(hub.hasReaders && stream != nil)
    }

    @Test("after the end a stream has the greeting and nothing else")
    func finished() async throws {
        let hub = EventHub<Int>(backlogLimit: 1, overflow: .losesOldest)
        hub.finish()
        #expect(await read(try #require(hub.subscribe { [7] })) == [7])
    }
}
