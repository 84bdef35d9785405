import NIOHTTP2

/// A command for a connection from outside; it travels as a user event through the channel's pipeline.
enum ConnectionCommand: Sendable {
    /// GOAWAY, with the reason as JSON in its debug data; streams that are open still get their answers.
    case goAway(RejectionReason?)
    /// GOAWAY, then the end once the open streams are answered.
    case drain(RejectionReason?)
    /// The limit of concurrent streams changes.
    case limitStreams(Int)
    /// It is time to look whether nothing has happened for too long.
    case checkIdleness
    /// A reply that was delayed.
    case reply(HTTP2StreamID, Reply.Ending)
}
