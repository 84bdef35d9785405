import CarillonDevice

/// The drawing of the app in front of a phone: the data of the page's event `view`.
struct ViewChange: Encodable, Sendable {
    /// The phone's id.
    var phone: String
    /// The drawing; `nil` when no app is in front.
    var view: ViewSnapshot?
}
