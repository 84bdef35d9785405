import NIOCore

/// One frame from the server, parsed and checked by ``FrameReader``.
enum InboundFrame: Sendable, Equatable {
    /// A whole header block, assembled from its frames.
    case headers(StreamID, block: ByteBuffer, endStream: Bool)
    /// DATA from the server.
    ///
    /// - Parameter windowByteCount: the bytes that the frame takes from the windows: its content and padding.
    case data(StreamID, ByteBuffer, windowByteCount: Int, endStream: Bool)
    case reset(StreamID, HTTP2Code)
    case settings([Setting])
    case settingsAcknowledged
    case ping(UInt64)
    case pong(UInt64)
    case goAway(lastStream: StreamID, HTTP2Code, debugData: ByteBuffer)
    case windowUpdate(StreamID, increment: Int)
    /// A frame that the client ignores: PRIORITY, or a frame of an unknown type.
    case nothing
}
