import CarillonDevice

/// What the app in front of a phone draws now: the data of the page's event `view`.
struct ViewChange: Encodable, Sendable {
    /// The phone's id.
    var phone: String
    /// `nil` when no app is in front.
    var view: ViewSnapshot?
}
