/// What was wrong with an admin request, as `application/problem+json` (RFC 9457) says it.
struct AdminProblem: Error, Sendable, Hashable {
    var status: Int
    var detail: String

    init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}
