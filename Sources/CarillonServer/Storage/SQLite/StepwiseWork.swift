/// Work that grows with an audience, done in bounded steps; what is left of it is in the table `work`.
struct StepwiseWork {
    /// What is done for each device of a message.
    enum Kind: String {
        /// The message's `until` has passed.
        case end
    }

    /// Its row; `nil` while it was not written down.
    var number: Int64?
    var kind: Kind
    /// The message's number.
    var message: Int64
    /// The device that was dealt with last, in the order of their ids.
    var position = ""
}
