import CarillonCore
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Server-sent events over one admin connection
/// ([HTML Living Standard §9.2](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
struct EventFeed: Sendable {
    let channel: any Channel

    func begin() {
        let headers: HTTPHeaders = ["content-type": "text/event-stream", "cache-control": "no-cache"]
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)), promise: nil)
        // A comment, so that whoever listens knows at once that it does.
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: ": ready\n\n"))), promise: nil)
    }

    func send(_ json: JSONValue, id: Int?) -> EventLoopFuture<Void> {
        let text = String(decoding: (try? json.encoded()) ?? Data(), as: UTF8.self)
        let event = (id.map { "id: \($0)\n" } ?? "") + "data: \(text)\n\n"
        return channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: event))))
    }

    /// Sends events until the reader goes or the simulator ends; a slow reader slows down only itself.
    func run(_ events: AsyncStream<SimulatorEvent>, after: Int) async {
        begin()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in events where event.number > after {
                    do { try await send(event.json, id: event.number).get() } catch { return }
                }
                channel.close(promise: nil)
            }
            group.addTask { try? await channel.closeFuture.get() }
            await group.next()
            group.cancelAll()
        }
    }
}

/// A device attached over the admin port: online while somebody reads its pushes.
struct DeviceFeed: Sendable {
    /// More pushes than this not yet taken by the reader, and it is cut off, as a network would drop it.
    static let backlogLimit = 1000

    let channel: any Channel
    let fleet: DeviceFleet

    func run(_ device: String) async {
        let feed = EventFeed(channel: channel)
        feed.begin()
        let backlog = Backlog()
        fleet.connect(device: device) { push in
            guard backlog.add() <= Self.backlogLimit else { return channel.close(promise: nil) }
            feed.send(push.json, id: nil).whenComplete { _ in backlog.remove() }
        }
        try? await channel.closeFuture.get()
        await fleet.disconnect(device: device)
    }
}

/// How many pushes are on their way to a reader.
private final class Backlog: Sendable {
    private let count = Atomic<Int>(0)
    func add() -> Int { count.add(1, ordering: .relaxed).newValue }
    func remove() { count.subtract(1, ordering: .relaxed) }
}
