import CarillonCore
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import CarillonSimulator

@Suite("Senders that never finish, without a network")
struct TimeoutTests {
    /// Remembers the errors that reach the end of the pipeline.
    private final class Witness: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var errors: [String] = []
        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors.append("\(error)") }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
    }

    private func gate() throws -> (EmbeddedChannel, Witness) {
        let (channel, witness) = (EmbeddedChannel(), Witness())
        try channel.pipeline.syncOperations.addHandlers(FrameGate(partTimeout: .seconds(60)), witness)
        return (channel, witness)
    }

    private func read(_ bytes: [UInt8], _ channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    private let clientPreface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]

    @Test("a preface that does not come ends the connection after a minute, one that came does not")
    func preface() throws {
        let (silent, witness) = try gate()
        silent.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(witness.errors.isEmpty)
        silent.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(witness.errors == ["PROTOCOL_ERROR: the connection preface did not come as a whole in time"])
        let (whole, calm) = try gate()
        try read(clientPreface + ping, whole)
        whole.embeddedEventLoop.advanceTime(by: .hours(24))
        #expect(calm.errors.isEmpty)
        _ = try (silent.finish(acceptAlreadyClosed: true), whole.finish(acceptAlreadyClosed: true))
    }

    @Test(
        "half a frame, and a header block without its end, end it too, byte by byte or not", arguments: [true, false])
    func parts(isHeaderBlock: Bool) throws {
        let (channel, witness) = try gate()
        // HEADERS without END_HEADERS, or the head of a PING alone.
        let part: [UInt8] = isHeaderBlock ? [0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82] : Array(ping.prefix(9))
        try read(clientPreface + ping + part, channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        if !isHeaderBlock { try read([1], channel) }
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        #expect(witness.errors.count == 1)
        let goAway = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(goAway.getInteger(at: 3, as: UInt8.self) == 7)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a handshake that does not end closes the connection")
    func handshake() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(HandshakeHandler(timeout: .seconds(60)) { _, _ in })
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a body too large for the admin port is read to its end and answered 413")
    func adminBody() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(AdminHandler(access: LocalAccess(advice: "")) { nil })
        let part = ByteBuffer(repeating: 0x20, count: SimulatorLimits.adminBodyByteLimit / 2 + 1)
        try channel.writeInbound(
            HTTPServerRequestPart.head(.init(version: .http1_1, method: .PUT, uri: "/faults")))
        for _ in 0..<3 { try channel.writeInbound(HTTPServerRequestPart.body(part)) }
        #expect(try channel.readOutbound(as: HTTPServerResponsePart.self) == nil)
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        guard case .head(let head)? = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
            Issue.record("there is no answer")
            return
        }
        #expect(head.status == .payloadTooLarge)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
