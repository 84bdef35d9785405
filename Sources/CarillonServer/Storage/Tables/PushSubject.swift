import CarillonCore

/// A message that a push is about.
///
/// The push is recorded on the message's timeline.
struct PushSubject {
    var number: Int64
    var message: MessageID
    /// The revision that the push is about.
    var revision: Int
    /// The reason that the timeline gives for removing the message from the device.
    var why: String?
}
