import NIOCore

/// One frame from the server, checked as far as is possible without earlier frames.
enum InboundFrame: Sendable, Equatable {
    /// A whole header block, assembled from its frames.
    case headers(StreamID, block: ByteBuffer, endStream: Bool)
    /// - Parameter windowByteCount: the bytes that it takes of the windows: the content and its padding.
    case data(StreamID, ByteBuffer, windowByteCount: Int, endStream: Bool)
    case reset(StreamID, HTTP2Code)
    case settings([Setting])
    case settingsAcknowledged
    case ping(UInt64)
    case pong(UInt64)
    case goAway(lastStream: StreamID, HTTP2Code, debugData: ByteBuffer)
    case windowUpdate(StreamID, increment: Int)
    /// PRIORITY, or an unknown type, which is ignored.
    case nothing
}
