import NIOHTTP2

/// A command to a connection.
///
/// The command travels as a user event through the pipeline of the connection's NIO channel.
enum ConnectionCommand: Sendable {
    /// Sends GOAWAY with the reason as JSON in the frame's debug data.
    ///
    /// Open streams still get their answers.
    case goAway(RejectionReason?)
    /// Sends GOAWAY, and closes the connection after the open streams are answered.
    case drain(RejectionReason?)
    /// Changes the limit of concurrent streams.
    case limitStreams(Int)
    /// Checks whether the connection has had no request for too long.
    case checkIdleness
    /// Sends the delayed reply to the request on a stream.
    case reply(HTTP2StreamID, Reply.Ending)
}
