/// A delivery that is not sent because it cannot be read.
package struct SetAsideDelivery: Sendable, Hashable {
    package var number: Int64
    /// The message's id, as far as it is known.
    package var message: String?
    package var device: String
    /// What cannot be read.
    package var problem: String
}
