/// An error of an admin request, sent to the client as `application/problem+json` (RFC 9457).
struct AdminProblem: Error, Sendable, Hashable {
    var status: Int
    var detail: String

    init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}
