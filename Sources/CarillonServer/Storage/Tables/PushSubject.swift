import CarillonCore

/// A message that a push concerns, for example a message that the push removes.
///
/// The outcome of the push is recorded on the message's timeline.
struct PushSubject {
    var number: Int64
    var message: MessageID
    /// The message's revision.
    var revision: Int
    /// The reason why devices remove the message, as a text for the timeline; `nil` for none.
    var why: String?
}
