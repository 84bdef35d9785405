import NIOCore
import Testing

@testable import carillon

@Suite("The page's event stream")
struct PageFeedTests {
    @Test("a page that opens is told everything first, then every change in order")
    func greeting() async throws {
        let feed = PageFeed()
        let events = try #require(feed.subscribe { [try? ServerSentEvent("hello", ["n": 0])].compactMap(\.self) })
        for number in 1...3 { feed.publish { try? ServerSentEvent("phone", ["n": number]) } }
        feed.finish()
        var seen: [String] = []
        for await event in events { seen.append(String(buffer: event.bytes)) }
        #expect(
            seen == [
                "event: hello\ndata: {\"n\":0}\n\n", "event: phone\ndata: {\"n\":1}\n\n",
                "event: phone\ndata: {\"n\":2}\n\n", "event: phone\ndata: {\"n\":3}\n\n",
            ])
    }

    @Test("a page that does not keep up is cut off, and the others go on")
    func slowPage() async throws {
        let feed = PageFeed()
        let slow = try #require(feed.subscribe { [] })
        for _ in 0...PageFeed.backlogLimit { feed.publish { .heartbeat } }
        let quick = try #require(feed.subscribe { [] })
        feed.publish { .heartbeat }
        var count = 0
        for await _ in slow { count += 1 }
        #expect(count == PageFeed.backlogLimit)
        var iterator = quick.makeAsyncIterator()
        #expect(await iterator.next() != nil)
    }

    @Test("there is an end to how many may listen, and a page that leaves makes room")
    func readerLimit() async throws {
        let feed = PageFeed()
        var streams = (0..<PageFeed.readerLimit).compactMap { _ in feed.subscribe { [] } }
        #expect(streams.count == PageFeed.readerLimit)
        #expect(feed.subscribe { [] } == nil)
        streams.removeLast()
        #expect(feed.subscribe { [] } != nil)
    }

    @Test("after the end a stream is over before it begins")
    func finished() async throws {
        let feed = PageFeed()
        feed.finish()
        let events = try #require(feed.subscribe { [] })
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == nil)
    }
}
