/// Holds the answer to a request about channels, stored before the caller is woken.
///
/// `@unchecked Sendable`: the client's event loop writes it once, and the caller reads it after it has been woken.
final class ChannelReply: @unchecked Sendable {
    var answer: APNsAnswer?
}
