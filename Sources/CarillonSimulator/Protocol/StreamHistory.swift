/// Which streams a sender has opened and ended: enough to tell HEADERS of a stream that is over from everything else.
///
/// NIOHTTP2 refuses such HEADERS too, but as PROTOCOL_ERROR, as if the stream had never been; RFC 9113 §5.1 wants
/// STREAM_CLOSED. A value that decides, fed with frame heads by ``ClosedStreamGuard``.
struct StreamHistory: Sendable {
    /// What one frame's head says.
    struct FrameHead: Sendable, Hashable {
        static let byteCount = 9

        var length: Int
        var type: UInt8
        var flags: UInt8
        var stream: UInt32

        var endsStream: Bool { flags & 0x1 != 0 }
    }

    private enum FrameType {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let resetStream: UInt8 = 3
    }

    private(set) var highest: UInt32 = 0
    /// The open stream that was opened last: usually the only one, which spares the set.
    private var latest: UInt32 = 0
    private var open: Set<UInt32> = []
    private var skipped: [Range<UInt32>] = []

    /// - Returns: whether the frame breaks the rule.
    mutating func isLate(_ frame: FrameHead) -> Bool {
        switch frame.type {
        case FrameType.headers: return isLateHeaders(frame)
        case FrameType.data where frame.endsStream: end(frame.stream)
        case FrameType.resetStream: end(frame.stream)
        default: break
        }
        return false
    }

    private mutating func isLateHeaders(_ frame: FrameHead) -> Bool {
        guard frame.stream > highest else { return isLateRepetition(frame) }
        // What is skipped is closed without ever having been open; HEADERS for it are another mistake.
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
        if stream == latest { latest = 0 } else { open.remove(stream) }
    }
}
