import NIOHTTP2

/// The receive windows of one connection (RFC 9113 §6.9), and the window updates that are due.
///
/// The windows are as large as in APNs' own SETTINGS. A window is opened again when less than half of it is left, and only after
/// the received bytes have been processed. A sender that exceeds a window before its update is written gets FLOW_CONTROL_ERROR.
struct ReceiveWindows: Sendable {
    /// The sizes of the windows that are less than half open, by stream.
    private var narrow: [HTTP2StreamID: Int] = [:]

    /// Records that the window of a stream, or of the connection (stream 0), has changed to `window`.
    mutating func changed(_ window: Int?, of id: HTTP2StreamID) {
        guard let window, window < SimulatorLimits.windowByteCount / 2 else { return }
        narrow[id] = window
    }

    /// Returns the window updates that are due: the connection's first, then the streams' in order.
    mutating func takeDue() -> [(id: HTTP2StreamID, increment: Int)] {
        guard !narrow.isEmpty else { return [] }
        defer { narrow.removeAll(keepingCapacity: true) }
        return narrow.sorted { $0.key < $1.key }.map { ($0.key, SimulatorLimits.windowByteCount - $0.value) }
    }
}
