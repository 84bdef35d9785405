import CarillonDevice

/// The data of the event `view`, with which the page draws the foreground app of a phone.
struct ViewChange: Encodable, Sendable {
    /// The phone's id.
    var phone: String
    /// The app's view with its subviews; `nil` if no app is in the foreground.
    var view: ViewSnapshot?
}
