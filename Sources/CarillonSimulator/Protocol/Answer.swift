/// An HTTP answer of the simulated APNs to a request.
struct Answer: Sendable, Hashable {
    var status: Int
    /// The headers, such as `apns-id`, without `:status`.
    var headers: [RequestRecord.Header]
    /// The body in JSON; `nil` for an accepted push.
    var body: String?
}
