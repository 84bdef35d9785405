import NIOCore
import NIOEmbedded
import Testing

@testable import CarillonAPNs

@Suite("One buffer a flush")
struct JoinedFlushTests {
    @Test("what is written between two flushes reaches TLS as one buffer, and every promise is kept")
    func joins() throws {
        let channel = EmbeddedChannel(handler: JoinedFlushHandler())
        let first = channel.write(IOData.byteBuffer(ByteBuffer(string: "ab")))
        let second = channel.write(IOData.byteBuffer(ByteBuffer(string: "cd")))
        #expect(try channel.readOutbound(as: IOData.self) == nil)
        channel.flush()
        let joined = try #require(try channel.readOutbound(as: IOData.self))
        guard case .byteBuffer(let buffer) = joined else {
            Issue.record("no buffer")
            return
        }
        #expect(String(buffer: buffer) == "abcd")
        #expect(try channel.readOutbound(as: IOData.self) == nil)
        try first.wait()
        try second.wait()
        channel.flush()
        #expect(try channel.readOutbound(as: IOData.self) == nil)
        _ = try channel.finish()
    }

    @Test("held flushes pass nothing on until they are let go")
    func holds() throws {
        let handler = JoinedFlushHandler()
        let channel = EmbeddedChannel(handler: handler)
        handler.isHolding = true
        channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: "ab")), promise: nil)
        channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: "cd")), promise: nil)
        #expect(try channel.readOutbound(as: IOData.self) == nil)
        handler.isHolding = false
        handler.flushHeld()
        guard case .byteBuffer(let buffer)? = try channel.readOutbound(as: IOData.self) else {
            Issue.record("no buffer")
            return
        }
        #expect(String(buffer: buffer) == "abcd")
        _ = try channel.finish()
    }

    @Test("closing writes out what waits")
    func closes() throws {
        let channel = EmbeddedChannel(handler: JoinedFlushHandler())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.write(IOData.byteBuffer(ByteBuffer(string: "ab")), promise: nil)
        let closed = channel.close()
        channel.flush()
        #expect((try? channel.readOutbound(as: IOData.self)) != nil)
        try closed.wait()
    }
}
