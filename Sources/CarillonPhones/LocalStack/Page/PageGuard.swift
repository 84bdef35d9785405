import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A middleware that allows only the page itself to use the phones' routes, because these reveal an API key and control the
/// phones.
///
/// ``LocalAccess`` has the rules and their reasons.
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

/// Decides for ``PageGuard`` whether a request is allowed, by the rules of ``LocalAccess``.
enum PageAccess {
    private static let rules = LocalAccess(
        advice: "Open the page as http://127.0.0.1 or http://localhost, with its port.")

    static func refusal(method: HTTPRequest.Method, authority: String?, headers: HTTPFields) -> PageProblem? {
        let request = LocalAccess.Request(
            host: authority, origin: headers[.origin],
            fetchSite: HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] }, contentType: headers[.contentType])
        return rules.refusal(of: request, needsJSON: method == .post).map {
            PageProblem($0.status, $0.title, $0.detail)
        }
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
