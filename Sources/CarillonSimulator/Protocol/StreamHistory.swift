/// The streams that a sender has opened and ended, and the streams that the simulator has reset.
///
/// ``FrameGate`` asks this value about the head of each frame before NIOHTTP2 gets the frame.
///
/// NIOHTTP2 also refuses HEADERS of a stream that has ended, but with PROTOCOL_ERROR; RFC 9113 §5.1 demands STREAM_CLOSED.
struct StreamHistory: Sendable {
    /// The head of an HTTP/2 frame: its first 9 bytes.
    struct FrameHead: Sendable, Hashable {
        static let byteCount = 9

        var length: Int
        var type: UInt8
        var flags: UInt8
        var stream: UInt32

        var endsStream: Bool { flags & 0x1 != 0 }
        var endsHeaders: Bool { flags & 0x4 != 0 }
    }

    enum FrameType {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let resetStream: UInt8 = 3
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    enum Verdict: Sendable, Hashable {
        case pass
        /// Drops the frame: the sender did not yet know that the stream had been reset when it sent the frame.
        case drop
        /// Ends the connection with an error code (RFC 9113 §7) and a description of the sender's mistake.
        case end(code: UInt32, String)
    }

    /// Whether a header block is incomplete: END_HEADERS has not come yet.
    private(set) var isInHeaderBlock = false
    private var highest: UInt32 = 0
    /// The open stream that was opened last; 0 for none.
    ///
    /// Usually no other stream is open, so ``open``, the set of the other open streams, stays empty.
    private var latest: UInt32 = 0
    private var open: Set<UInt32> = []
    /// The streams that the simulator has reset and the sender has not ended yet.
    private var reset: Set<UInt32> = []
    private var resetCount = 0
    private var skipped: [Range<UInt32>] = []

    mutating func received(_ frame: FrameHead) -> Verdict {
        guard resetCount <= SimulatorLimits.refusedStreamLimit else {
            return .end(code: 11, "ENHANCE_YOUR_CALM: more than \(SimulatorLimits.refusedStreamLimit) refused streams")
        }
        switch frame.type {
        case FrameType.headers:
            isInHeaderBlock = !frame.endsHeaders
            if isLateHeaders(frame) {
                return .end(code: 5, "STREAM_CLOSED: HEADERS on stream \(frame.stream), which is over")
            }
        case FrameType.continuation: isInHeaderBlock = !frame.endsHeaders
        case FrameType.data where reset.contains(frame.stream):
            if frame.endsStream { end(frame.stream) }
            return .drop
        case FrameType.data where frame.endsStream: end(frame.stream)
        case FrameType.resetStream: end(frame.stream)
        default: break
        }
        return .pass
    }

    /// Records that the simulator sends RST_STREAM for a stream.
    ///
    /// Later DATA on this stream are dropped.
    mutating func reset(_ stream: UInt32) {
        guard stream == latest || open.contains(stream) else { return }
        resetCount += 1
        reset.insert(stream)
    }

    private mutating func isLateHeaders(_ frame: FrameHead) -> Bool {
        guard frame.stream > highest else { return isLateRepetition(frame) }
        // A skipped stream is closed without having been open. HEADERS for it are another mistake.
        if frame.stream > highest + 2, skipped.count < SimulatorLimits.skippedStreamLimit {
            skipped.append(highest + 1..<frame.stream)
        }
        highest = frame.stream
        guard !frame.endsStream else { return false }
        if latest != 0 { open.insert(latest) }
        latest = frame.stream
        return false
    }

    private mutating func isLateRepetition(_ frame: FrameHead) -> Bool {
        let isOpen = frame.stream == latest || open.contains(frame.stream)
        guard isOpen else {
            let wasNeverOpen =
                frame.stream % 2 == 0 || skipped.count == SimulatorLimits.skippedStreamLimit
                || skipped.contains { $0.contains(frame.stream) }
            return !wasNeverOpen
        }
        if frame.endsStream { end(frame.stream) }
        return false
    }

    private mutating func end(_ stream: UInt32) {
        if !reset.isEmpty { reset.remove(stream) }
        if stream == latest { latest = 0 } else { open.remove(stream) }
    }
}
