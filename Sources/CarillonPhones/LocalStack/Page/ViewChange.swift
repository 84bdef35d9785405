import CarillonDevice

/// The drawing of a phone's foreground app: the data of the page's event `view`.
struct ViewChange: Encodable, Sendable {
    /// The phone's id.
    var phone: String
    /// The drawing; `nil` if no app is in the foreground.
    var view: ViewSnapshot?
}
