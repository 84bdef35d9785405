import NIOHTTP2

/// The receive windows of one connection (RFC 9113 §6.9), and the window updates that are due.
///
/// The windows are as large as in APNs' own SETTINGS. When less than half of a window is left and the received bytes have been
/// processed, an update opens it again. A sender that exceeds a window before the update gets FLOW_CONTROL_ERROR.
struct ReceiveWindows: Sendable {
    /// The number of bytes left in a stream's window, only for windows with less than half of their bytes left.
    ///
    /// Stream 0 stands for the whole connection.
    private var narrow: [HTTP2StreamID: Int] = [:]

    /// Records that `window` bytes are left in the window of a stream, or of the connection (stream 0).
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
