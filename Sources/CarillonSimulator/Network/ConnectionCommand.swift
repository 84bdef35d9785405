import NIOHTTP2

/// A command to a connection.
///
/// The command travels as a user event through the pipeline of the connection's NIO channel.
enum ConnectionCommand: Sendable {
    /// Send GOAWAY with the reason as JSON in its debug data.
    ///
    /// Open streams still get their answers.
    case goAway(RejectionReason?)
    /// Send GOAWAY, and close the connection after the open streams are answered.
    case drain(RejectionReason?)
    /// Change the limit of concurrent streams.
    case limitStreams(Int)
    /// Check whether the connection has been idle for too long.
    case checkIdleness
    /// Send a delayed reply.
    case reply(HTTP2StreamID, Reply.Ending)
}
