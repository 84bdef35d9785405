import Testing

@testable import CarillonSimulator

@Suite("What a frame is worth before NIO sees it")
struct StreamHistoryTests {
    private func frame(
        _ type: UInt8, _ stream: UInt32, ends: Bool = false, endsHeaders: Bool = true
    ) -> StreamHistory.FrameHead {
        StreamHistory.FrameHead(length: 3, type: type, flags: (ends ? 1 : 0) | (endsHeaders ? 4 : 0), stream: stream)
    }

    @Test("DATA on a stream that was reset from here are dropped until the sender ends it, and on no other")
    func drops() {
        var history = StreamHistory()
        for stream in [UInt32(1), 3, 5] {
            #expect(history.received(frame(StreamHistory.FrameType.headers, stream)) == .pass)
        }
        history.reset(3)
        #expect(history.received(frame(StreamHistory.FrameType.data, 3)) == .drop)
        #expect(history.received(frame(StreamHistory.FrameType.data, 1)) == .pass)
        #expect(history.received(frame(StreamHistory.FrameType.data, 5, ends: true)) == .pass)
        #expect(history.received(frame(StreamHistory.FrameType.data, 3, ends: true)) == .drop)
        // Over, by the sender's own word: what comes now is its mistake, and NIO says so.
        #expect(history.received(frame(StreamHistory.FrameType.data, 3)) == .pass)
    }

    @Test("a stream that the sender takes back itself is no longer one to drop frames of")
    func takenBack() {
        var history = StreamHistory()
        _ = history.received(frame(StreamHistory.FrameType.headers, 1))
        history.reset(1)
        #expect(history.received(frame(StreamHistory.FrameType.resetStream, 1)) == .pass)
        #expect(history.received(frame(StreamHistory.FrameType.data, 1)) == .pass)
    }

    @Test("ten thousand refused streams are borne, one more is ENHANCE_YOUR_CALM; those without a body do not count")
    func bound() {
        var history = StreamHistory()
        var stream: UInt32 = 1
        for _ in 0..<SimulatorLimits.refusedStreamLimit {
            #expect(history.received(frame(StreamHistory.FrameType.headers, stream)) == .pass)
            history.reset(stream)
            stream += 2
            _ = history.received(frame(StreamHistory.FrameType.headers, stream, ends: true))
            history.reset(stream)
            stream += 2
        }
        #expect(history.received(frame(StreamHistory.FrameType.headers, stream)) == .pass)
        history.reset(stream)
        guard case .end(11, let text) = history.received(frame(StreamHistory.FrameType.data, 9)) else {
            Issue.record("the connection goes on")
            return
        }
        #expect(text.hasPrefix("ENHANCE_YOUR_CALM"))
    }

    @Test("a header block lasts until END_HEADERS")
    func headerBlock() {
        var history = StreamHistory()
        _ = history.received(frame(StreamHistory.FrameType.headers, 1, endsHeaders: false))
        #expect(history.isInHeaderBlock)
        _ = history.received(frame(StreamHistory.FrameType.continuation, 1, endsHeaders: false))
        #expect(history.isInHeaderBlock)
        _ = history.received(frame(StreamHistory.FrameType.continuation, 1))
        #expect(!history.isInHeaderBlock)
    }
}
