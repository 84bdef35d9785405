import CarillonCore
import Foundation
import NIOHTTP1

/// A complete request to the admin port.
struct AdminRequest: Sendable {
    var method: HTTPMethod
    /// The decoded parts of the path: `/devices/my%20phone` is `["devices", "my phone"]`.
    var path: [String]
    var query: [String: String]
    var headers: HTTPHeaders
    var body: Data

    init?(_ head: HTTPRequestHead, body: Data) {
        guard let components = URLComponents(string: head.uri) else { return nil }
        method = head.method
        path = components.percentEncodedPath.split(separator: "/").compactMap { String($0).removingPercentEncoding }
        query = Dictionary(
            (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
        headers = head.headers
        self.body = body
    }

    /// Returns the body as a JSON dictionary.
    ///
    /// The dictionary is empty if the request has no body.
    func dictionary() throws(AdminProblem) -> [String: JSONValue] {
        guard !body.isEmpty else { return [:] }
        do {
            guard let members = try JSONValue(parsing: body).objectValue else {
                throw AdminProblem(400, "the body is not a JSON dictionary")
            }
            return members
        } catch let problem as AdminProblem {
            throw problem
        } catch {
            throw AdminProblem(400, "the body is \(error)")
        }
    }
}
