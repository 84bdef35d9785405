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

    /// Writes a comment line.
    ///
    /// The client may ignore the line, or learn from it that the stream has begun or that its devices are online.
    func comment(_ text: String) {
        channel.writeAndFlush(
            HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: ": \(text)\n\n"))), promise: nil)
    }

    func send(_ json: JSONValue, id: Int?) -> EventLoopFuture<Void> {
        let text = String(decoding: (try? json.encoded()) ?? Data(), as: UTF8.self)
        let event = (id.map { "id: \($0)\n" } ?? "") + "data: \(text)\n\n"
        return channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: event))))
    }

    /// Sends the journal entries after number `after` until the client disconnects or the simulator ends.
    ///
    /// A slow client does not slow down others.
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
