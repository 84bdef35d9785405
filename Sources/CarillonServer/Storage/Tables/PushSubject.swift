import CarillonCore

/// A message that a push is about, on whose timeline the push's outcome is recorded.
struct PushSubject {
    var number: Int64
    var message: MessageID
    /// The revision of the message that the push is about.
    var revision: Int
    /// The reason for removing the message from the device, for the timeline; `nil` for none.
    var why: String?
}
