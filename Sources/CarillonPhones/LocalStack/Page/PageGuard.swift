import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A middleware that allows only the page itself to use the phones' routes, because these reveal an API key and control the
/// phones.
///
/// Other sites in the same browser can send requests to this server, although they cannot read the answers. A site whose name
/// points at 127.0.0.1 (DNS rebinding) can even read the answers. Therefore a request needs a host name that only this machine
/// has, and an origin that equals that host. A request that changes something also needs a JSON body, which a plain form cannot
/// send.
struct PageGuard<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let refusal = PageAccess.refusal(
            method: request.method, authority: request.head.authority, headers: request.headers)
        {
            return try refusal.response()
        }
        return try await next(request, context)
    }
}

/// Decides for ``PageGuard`` whether a request is allowed.
enum PageAccess {
    static func refusal(method: HTTPRequest.Method, authority: String?, headers: HTTPFields) -> PageProblem? {
        guard let authority, isLoopback(authority) else {
            return PageProblem(
                403, "Only for this machine", "Open the page as http://127.0.0.1 or http://localhost, with its port.")
        }
        if let origin = headers[.origin], origin != "http://\(authority)" {
            return PageProblem(403, "Not from another site", "\(origin) is not this page.")
        }
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ headers[$0] }), site != "same-origin", site != "none" {
            return PageProblem(403, "Not from another site", "The request came from another site.")
        }
        guard method == .post else { return nil }
        guard let type = headers[.contentType], type.lowercased().hasPrefix("application/json") else {
            return PageProblem(415, "JSON only", "Send the body as Content-Type: application/json.")
        }
        return nil
    }

    /// Returns whether a `Host`, with or without a port, is a name of this machine only.
    static func isLoopback(_ authority: String) -> Bool {
        let host =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }.dropFirst())
            : String(authority.prefix { $0 != ":" })
        return ["127.0.0.1", "localhost", "::1"].contains(host.lowercased())
    }
}

/// An error that the server answers as `application/problem+json`, like the service's errors.
struct PageProblem: Error, HTTPResponseError, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let detail: String

    init(_ status: Int, _ title: String, _ detail: String) {
        self.status = HTTPResponse.Status(code: status)
        self.title = title
        self.detail = detail
    }

    func response() throws -> Response {
        let body: JSONValue = [
            "title": .string(title), "status": .int(Int64(status.code)), "detail": .string(detail),
        ]
        return Response(
            status: status, headers: [.contentType: "application/problem+json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try body.encoded())))
    }

    func response(from request: Request, context: some RequestContext) throws -> Response { try response() }
}
