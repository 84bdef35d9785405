/// The body of every error, `application/problem+json`
/// ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)).
package struct ProblemDocument: Error, Sendable, Hashable, Codable {
    /// `urn:carillon:problem:<name>`: stable, for programs to tell problems apart by.
    package var type: String
    /// The kind of problem, for people; the same for every occurrence.
    package var title: String
    /// The HTTP status, 4xx or 5xx.
    package var status: Int
    /// What was wrong this time, and what to do.
    package var detail: String
    /// Where in the request's body, as a JSON pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)), such as
    /// `/payload/aps/badge`.
    package var pointer: String?

    package init(type: String, title: String, status: Int, detail: String, pointer: String? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.pointer = pointer
    }
}
