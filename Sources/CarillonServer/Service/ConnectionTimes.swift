/// The longest times that a client may take to send a request and to read the answer.
package struct ConnectionTimes: Sendable, Hashable {
    /// The longest time from the beginning of a connection to the end of its first request's head; then the service closes the
    /// connection.
    package var head = ServiceLimits.headTime
    /// The longest time from an answer to the end of the next request's head; then the service closes the connection.
    package var idle = ServiceLimits.idleTime
    /// The longest time that the service waits for the rest of a request's body before it refuses the request.
    ///
    /// Each received part of the body extends this time, as ``bodyBytesPerSecond`` says.
    package var body = ServiceLimits.bodyTime
    /// The number of bytes of a request's body with which a client gains one more second to send the rest of the body.
    ///
    /// The client never has more time left than ``body``.
    var bodyBytesPerSecond = ServiceLimits.bodyBytesPerSecond
    /// The longest time that a client may leave an answer unread; then the service closes the connection.
    package var answer = ServiceLimits.answerTime

    package init() {}
}
