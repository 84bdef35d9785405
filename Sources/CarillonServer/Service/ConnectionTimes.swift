/// The times that a client has for its part of an exchange.
struct ConnectionTimes: Sendable, Hashable {
    /// The time from the beginning of a connection to the end of its first request's head.
    var head = ServiceLimits.headTime
    /// The time from an answer to the end of the next request's head.
    var idle = ServiceLimits.idleTime
    /// The time for which the service waits for a body, and the bytes that buy a second more.
    var body = ServiceLimits.bodyTime
    var bodyBytesPerSecond = ServiceLimits.bodyBytesPerSecond
    /// The time for which a client may leave an answer unread.
    var answer = ServiceLimits.answerTime
}
