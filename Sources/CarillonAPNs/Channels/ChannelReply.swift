/// Holds the answer to a request about channels, stored before the caller is woken.
///
/// `@unchecked Sendable`: it is written once, by the client's event loop, and read by the caller afterwards; the waking of
/// the caller lies between the two.
final class ChannelReply: @unchecked Sendable {
    var answer: APNsAnswer?
}
