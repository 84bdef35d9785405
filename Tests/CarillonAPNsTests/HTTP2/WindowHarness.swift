import CarillonCore
import Foundation
import NIOCore
import Testing

@testable import CarillonAPNs

/// A server that only counts windows: opens and shrinks them at random, and checks that the client keeps to them.
struct WindowHarness {
    private struct Stream {
        let size: Int
        var received = 0
        var window: Int
        var isEnded = false
        var isReset = false
    }

    private let seed: UInt64
    private var generator: SeededGenerator
    private var session = HTTP2Session()
    private var streams: [StreamID: Stream] = [:]
    private var connectionWindow = 65_535
    private var initialWindow = 65_535
    private var nextStream = 1
    private(set) var isBroken = false

    init(seed: UInt64) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        session.outgoing.clear()
        try feed(FrameReaderTests.wire(4))
    }

    mutating func step(_ number: Int) throws {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4: try open()
        case 4: try setInitialWindow([0, 1, 500, 5000, 65_535].randomElement(using: &generator) ?? 0)
        case 5: try reset()
        case 6, 7: try widen(stream: 0, by: Int.random(in: 1...20_000, using: &generator))
        default:
            guard let stream = streams.keys.sorted().randomElement(using: &generator) else { return }
            try widen(stream: stream, by: Int.random(in: 1...3000, using: &generator))
        }
    }

    /// With all windows wide open, everything that was not cut short arrives.
    mutating func finish() throws {
        try widen(stream: 0, by: 10_000_000)
        for stream in streams.keys.sorted() { try widen(stream: stream, by: 1_000_000) }
        for (id, stream) in streams where !stream.isReset {
            #expect(stream.isEnded && stream.received == stream.size, "seed \(seed), stream \(id)")
        }
    }

    private mutating func open() throws {
        let size = Int.random(in: 1...5120, using: &generator)
        var notification = try TestValues.notification(number: nextStream)
        notification.payload = APNsPayload(Data(count: size))
        streams[nextStream] = Stream(size: size, window: initialWindow)
        session.open(nextStream, notification, authority: "a", authorization: nil)
        nextStream += 2
        try readWhatWasWritten()
    }

    private mutating func reset() throws {
        guard let id = streams.keys.sorted().randomElement(using: &generator), streams[id]?.isReset == false else {
            return
        }
        let unsent = session.reset(id)
        try readWhatWasWritten()
        let missing = (streams[id]?.size ?? 0) - (streams[id]?.received ?? 0)
        #expect(unsent == missing, "seed \(seed): what is not sent is told")
        streams[id]?.isReset = true
    }

    private mutating func setInitialWindow(_ size: Int) throws {
        for id in streams.keys { streams[id]?.window += size - initialWindow }
        initialWindow = size
        try feed(FrameReaderTests.wire(4, [0, 4, 0, 0, UInt8(size >> 8), UInt8(size & 255)]))
    }

    private mutating func widen(stream: StreamID, by increment: Int) throws {
        if stream == 0 { connectionWindow += increment } else { streams[stream]?.window += increment }
        let bytes = [24, 16, 8, 0].map { UInt8(increment >> $0 & 255) }
        try feed(FrameReaderTests.wire(8, stream: stream, bytes))
    }

    private mutating func feed(_ bytes: [UInt8]) throws {
        session.append(ByteBuffer(bytes: bytes))
        while try session.next() != nil {}
        try readWhatWasWritten()
    }

    private mutating func readWhatWasWritten() throws {
        let frames = try FrameReaderTests.read(Array(session.outgoing.readableBytesView))
        session.outgoing.clear()
        for case .data(let id, let bytes, _, let endStream) in frames {
            connectionWindow -= bytes.readableBytes
            streams[id]?.window -= bytes.readableBytes
            streams[id]?.received += bytes.readableBytes
            let stream = try #require(streams[id])
            let isKept = connectionWindow >= 0 && stream.window >= 0 && !stream.isEnded && !stream.isReset
            #expect(isKept, "seed \(seed), stream \(id)")
            if !isKept { isBroken = true }
            if endStream { streams[id]?.isEnded = true }
        }
    }
}
