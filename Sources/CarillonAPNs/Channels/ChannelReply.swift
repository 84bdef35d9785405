/// Holds the answer to a request about channels until the caller reads it.
///
/// `@unchecked Sendable`: the client's event loop writes it once, and the caller reads it only after being woken.
final class ChannelReply: @unchecked Sendable {
    var answer: APNsAnswer?
}
