/// The longest times that a client may take for its part of a request.
struct ConnectionTimes: Sendable, Hashable {
    /// The longest time from the beginning of a connection to the end of its first request's head.
    var head = ServiceLimits.headTime
    /// The longest time from an answer to the end of the next request's head.
    var idle = ServiceLimits.idleTime
    /// The longest time that the service waits for a body, unless its bytes extend that time.
    var body = ServiceLimits.bodyTime
    /// The number of bytes of a body that extend the wait for the rest by one second.
    var bodyBytesPerSecond = ServiceLimits.bodyBytesPerSecond
    /// The longest time that a client may leave an answer unread.
    var answer = ServiceLimits.answerTime
}
