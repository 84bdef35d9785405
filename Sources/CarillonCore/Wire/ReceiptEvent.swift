/// What the SDK can say about a message.
///
/// Each is claimed only when it is known: `shown` comes from `willPresent`, a completed local add, or the delivered
/// list, never from a hope.
package enum ReceiptEvent: String, Sendable, Hashable, CaseIterable, Codable {
    /// The push has reached code of the app (the service extension, or a wake in the background).
    case received
    /// It was put on the screen or into the list.
    case shown
    /// The person has read it: opened the app from it, chose an action of it, or read it inside the app.
    case opened
    /// The person chose an action; `detail` is the action's identifier.
    case acted
    /// The person swiped it away (only where the category asks for a custom dismiss action).
    case dismissed
    /// It was not shown, or was taken away, because its time had passed; `detail` says which.
    case expired
    /// A recall was carried out: it is not on this phone's screen, and will not come back.
    case recalled
}
