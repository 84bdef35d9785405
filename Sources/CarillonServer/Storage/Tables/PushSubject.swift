import CarillonCore

/// A message that a push is about, on whose timeline the push is recorded.
struct PushSubject {
    var number: Int64
    var message: MessageID
    /// The revision that the push is about.
    var revision: Int
    /// The timeline's reason for removing the message from the device.
    var why: String?
}
