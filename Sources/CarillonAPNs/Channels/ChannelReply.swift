/// Holds the answer to a request about channels until the caller reads it.
///
/// `@unchecked Sendable`: the client's event loop writes the answer once, and the caller reads the answer only after being
/// resumed.
final class ChannelReply: @unchecked Sendable {
    var answer: APNsAnswer?
}
