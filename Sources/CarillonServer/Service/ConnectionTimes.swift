/// The longest times that a client may take for its part of a request.
struct ConnectionTimes: Sendable, Hashable {
    /// The longest time from the beginning of a connection to the end of its first request's head.
    var head = ServiceLimits.headTime
    /// The longest time from an answer to the end of the next request's head.
    var idle = ServiceLimits.idleTime
    /// The time for which the service waits for a body.
    var body = ServiceLimits.bodyTime
    /// The number of bytes of a body that give it one more second.
    var bodyBytesPerSecond = ServiceLimits.bodyBytesPerSecond
    /// The longest time that a client may leave an answer unread.
    var answer = ServiceLimits.answerTime
}
