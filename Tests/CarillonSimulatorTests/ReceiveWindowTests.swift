import CarillonCore
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import CarillonSimulator

/// Without a network between, so that it is certain what arrives together.
@Suite("Flow control, from the simulator's side")
struct ReceiveWindowTests {
    private static let frameLimit = 16_384

    private func channel() throws -> EmbeddedChannel {
        let clock = ManualClock(start: SimulatorFixture.start)
        let (journal, counters) = (Journal(limit: 10), Counters())
        let configuration = SimulatorConfiguration(clock: clock, seed: 7, topics: [SimulatorFixture.bundleID])
        let generator = SeededGenerator(seed: 1)
        let service = PushService(
            configuration: configuration, tokens: TokenCache(verifier: TokenVerifier(keys: [:]), clock: clock),
            devices: DeviceFleet(
                rules: DeliveryRules(), tokenByteCount: 32, clock: clock, generator: generator, journal: journal,
                counters: counters),
            faults: FaultInjector(plan: FaultPlan(), generator: generator), journal: journal, counters: counters)
        let gate = FrameGate(partTimeout: .seconds(20))
        let handler = SenderConnectionHandler(
            service.makeConnection(number: 1, certificate: nil), service: service, gate: gate,
            limits: StreamLimits(full: 10, beforeProof: 10, isRaised: false), idle: nil,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers(
            gate,
            NIOHTTP2Handler(
                mode: .server, connectionConfiguration: .apns(streams: 10), streamConfiguration: .init()), handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try read(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4), channel)
        return channel
    }

    private func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF), type, flags]
            + [0, 0, 0, stream] + payload
    }

    /// HEADERS whose fields are all in HPACK's static table but for the path.
    private func headers(stream: UInt8) -> [UInt8] {
        frame(1, flags: 4, stream: stream, [0x83, 0x87, 0x04, 0x02, 0x2F, 0x33, 0x01, 0x01, 0x61])
    }

    private func data(stream: UInt8, byteCount: Int) -> [UInt8] {
        stride(from: 0, to: byteCount, by: Self.frameLimit).flatMap { start in
            frame(0, stream: stream, Array(repeating: 0x20, count: min(Self.frameLimit, byteCount - start)))
        }
    }

    /// Everything in one read.
    private func read(_ bytes: [UInt8], _ channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    private struct Written: Equatable {
        var type: UInt8
        var stream: UInt8
        /// Of RST_STREAM and WINDOW_UPDATE the number, of GOAWAY the code.
        var number: UInt32
    }

    /// Returns the frames that the simulator has written since the last call, without answers and SETTINGS.
    private func written(_ channel: EmbeddedChannel) throws -> [Written] {
        var (bytes, found) = (ByteBuffer(), [Written]())
        while var part = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&part) }
        while let head = bytes.readBytes(length: 9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard var payload = bytes.readSlice(length: length), [3, 7, 8].contains(head[3]) else { continue }
            if head[3] == 7 { payload.moveReaderIndex(forwardBy: 4) }
            found.append(Written(type: head[3], stream: head[8], number: payload.readInteger() ?? 0))
        }
        return found
    }

    @Test("a window is given back when half of it is used, of the connection and of the stream")
    func givenBack() throws {
        let channel = try channel()
        try read(headers(stream: 1) + data(stream: 1, byteCount: 32_768), channel)
        #expect(try written(channel) == [])
        try read(data(stream: 1, byteCount: 1), channel)
        #expect(
            try written(channel) == [
                Written(type: 8, stream: 0, number: 32_769), Written(type: 8, stream: 1, number: 32_769),
            ])
    }

    @Test("DATA beyond the connection's window end the connection with FLOW_CONTROL_ERROR")
    func connectionWindow() throws {
        let channel = try channel()
        let half = [UInt8(1), 3].flatMap { headers(stream: $0) + data(stream: $0, byteCount: 32_767) }
        try read(half + data(stream: 1, byteCount: 2), channel)
        let written = try written(channel)
        #expect(written.contains(Written(type: 7, stream: 0, number: 3)), "\(written)")
    }

    @Test("DATA beyond a stream's window end the stream with FLOW_CONTROL_ERROR, and no other")
    func streamWindow() throws {
        let channel = try channel()
        try read(headers(stream: 1) + data(stream: 1, byteCount: 30_000), channel)
        try read(headers(stream: 3) + data(stream: 3, byteCount: 10_000), channel)
        #expect(try written(channel) == [Written(type: 8, stream: 0, number: 40_000)])
        try read(data(stream: 1, byteCount: 35_536), channel)
        #expect(try written(channel).contains(Written(type: 3, stream: 1, number: 3)))
        try read(data(stream: 3, byteCount: 30_000), channel)
        let written = try written(channel)
        #expect(written.contains(Written(type: 8, stream: 3, number: 40_000)), "the other goes on: \(written)")
    }

    @Test("exactly a window is taken")
    func wholeWindow() throws {
        let channel = try channel()
        try read(headers(stream: 1) + data(stream: 1, byteCount: 65_535), channel)
        #expect(try written(channel).map(\.type) == [8, 8])
    }

    @Test("padding counts, and is given back")
    func padding() throws {
        let channel = try channel()
        try read(headers(stream: 1), channel)
        let padded = frame(0, flags: 8, stream: 1, [255, 0x20] + Array(repeating: 0, count: 255))
        for _ in 0..<600 { try read(padded, channel) }
        let types = try written(channel)
        #expect(types.allSatisfy { $0.type == 8 } && types.filter { $0.stream == 1 }.count == 600 * 257 / 32_768)
    }
}
