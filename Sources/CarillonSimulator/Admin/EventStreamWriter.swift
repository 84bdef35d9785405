import CarillonCore
import Foundation
import NIOCore
import NIOHTTP1

/// Writes server-sent events over one admin connection
/// ([HTML Living Standard §9.2](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
struct EventStreamWriter: Sendable {
    let channel: any Channel

    func begin() {
        let headers: HTTPHeaders = ["content-type": "text/event-stream", "cache-control": "no-cache"]
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)), promise: nil)
        // Tells the reader at once that the stream has begun.
        comment("ready")
    }

    /// Writes a comment line, which clients may ignore.
    ///
    /// The line tells a client that the stream has begun, or that the devices for which the client gets pushes are online.
    func comment(_ text: String) {
        channel.writeAndFlush(
            HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: ": \(text)\n\n"))), promise: nil)
    }

    func send(_ json: JSONValue, id: Int?) -> EventLoopFuture<Void> {
        let text = String(decoding: (try? json.encoded()) ?? Data(), as: UTF8.self)
        let event = (id.map { "id: \($0)\n" } ?? "") + "data: \(text)\n\n"
        return channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: event))))
    }

    /// Sends the journal entries whose number is higher than `after`, until the client disconnects or the simulator ends.
    ///
    /// A slow client does not slow down other clients.
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
