/// A holder of the answer to a request about channels, until the caller reads the answer.
///
/// `@unchecked Sendable`: the client's event loop writes the answer once. The caller reads the answer only after the event loop
/// has resumed the caller's task.
final class ChannelReply: @unchecked Sendable {
    var answer: APNsAnswer?
}
