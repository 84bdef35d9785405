/// One attempt to send a push.
package struct Attempt: Sendable, Hashable {
    /// The revision of the message that the attempt carries.
    package var revision: Int
    /// The number of the attempt, counted from 1 for each revision.
    package var number: Int

    package init(revision: Int, number: Int) {
        self.revision = revision
        self.number = number
    }
}
