import CarillonCore

/// A message that a push is about, and so a timeline on which it stands.
struct PushSubject {
    var number: Int64
    var message: MessageID
    /// Which revision it is about.
    var revision: Int
    /// Why the message is to leave the device.
    var why: String?
}
