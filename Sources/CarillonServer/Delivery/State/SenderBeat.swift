/// A sender that has leased pushes, as other senders see it, with the count of its heartbeats.
package struct SenderBeat: Sendable, Hashable {
    package var sender: SenderNumber
    /// A counter that the sender increases with each heartbeat.
    package var beat: Int
    /// Whether the sender's process is known to have ended.
    package var isDead: Bool
    /// The addresses to which the sender sends; `nil`, the default, if it does not tell them.
    package var place: String?

    package init(sender: SenderNumber, beat: Int, isDead: Bool, place: String? = nil) {
        self.sender = sender
        self.beat = beat
        self.isDead = isDead
        self.place = place
    }
}
