/// A mistake in an admin request, answered as `application/problem+json` (RFC 9457).
struct AdminProblem: Error, Sendable, Hashable {
    var status: Int
    var detail: String

    init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}
