import NIOHTTP2

/// A command for a connection from outside; it travels as a user event through the channel's pipeline.
enum ConnectionCommand: Sendable {
    /// Send GOAWAY, with the reason as JSON in its debug data; open streams still get their answers.
    case goAway(RejectionReason?)
    /// Send GOAWAY, and close once the open streams are answered.
    case drain(RejectionReason?)
    /// Change the limit of concurrent streams.
    case limitStreams(Int)
    /// Check whether the connection has been idle for too long.
    case checkIdleness
    /// Send a reply that was delayed.
    case reply(HTTP2StreamID, Reply.Ending)
}
