/// An answer to the sender.
struct Answer: Sendable, Hashable {
    var status: Int
    /// `apns-id` and the like, without `:status`.
    var headers: [RequestRecord.Header]
    /// JSON; `nil` for an accepted push.
    var body: String?
}
