/// The body of every error response, `application/problem+json` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)).
package struct ProblemDocument: Error, Sendable, Hashable, Codable {
    /// The response header that repeats the problem's ``name``.
    ///
    /// A proxy, a firewall or an ingress before the service may answer with statuses of its own. An installation believes a
    /// refusal only if this header and the body name the same problem.
    package static let header = "Carillon-Problem"
    /// The beginning of every ``type``.
    package static let typePrefix = "urn:carillon:problem:"

    /// The type `urn:carillon:problem:<name>`: stable, so that programs can distinguish problems.
    package var type: String
    /// The kind of problem in words; all problems of one ``type`` have an equal title.
    package var title: String
    /// The HTTP status, 4xx or 5xx.
    package var status: Int
    /// The mistake in this request, and how to correct it.
    package var detail: String
    /// The place in the request's body, as a JSON pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)), such as
    /// `/payload/aps/badge`.
    package var pointer: String?

    package init(type: String, title: String, status: Int, detail: String, pointer: String? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.pointer = pointer
    }

    /// The name of the problem: the end of its ``type``.
    package var name: String { type.hasPrefix(Self.typePrefix) ? String(type.dropFirst(Self.typePrefix.count)) : type }
}
