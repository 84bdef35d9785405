/// What goes back to the sender.
struct Answer: Sendable, Hashable {
    var status: Int
    var apnsID: String
    /// In the sandbox only, and only for an accepted push: its name in Apple's delivery log.
    var uniqueID: String?
    /// JSON; `nil` for an accepted push.
    var body: String?
}
