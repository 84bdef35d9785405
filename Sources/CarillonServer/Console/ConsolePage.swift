import HTTPTypes
import Hummingbird
import NIOCore

/// The page at `/`: a form to send a message, and what became of it. It shows phones only where someone has added
/// routes for them (`carillon up`); the service itself knows none.
public struct ConsolePage: Sendable {
    /// Nothing but the page's own files may run, load or be asked; no markup becomes script, nobody frames the page.
    /// See [CSP Level 3](https://www.w3.org/TR/CSP3/) and
    /// [Trusted Types](https://www.w3.org/TR/trusted-types/).
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    public init() {}

    /// Adds one route for each file of the page.
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for file in ConsoleFile.all {
            router.get(RouterPath(file.path)) { request, _ in Self.response(to: request.headers, with: file) }
        }
    }

    /// The file, or only the word that the browser's copy is still good.
    static func response(to headers: HTTPFields, with file: ConsoleFile) -> Response {
        let isKnown = headers[.ifNoneMatch]?.contains(file.entityTag) ?? false
        guard !isKnown else { return Response(status: .notModified, headers: Self.headers(of: file)) }
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        return Response(status: .ok, headers: Self.headers(of: file), body: body)
    }

    private static func headers(of file: ConsoleFile) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: file.mediaType,
            .eTag: file.entityTag,
            // Asked again each time, answered with 304: a newer binary shows its own page at once.
            .cacheControl: "no-cache",
            .contentSecurityPolicy: contentSecurityPolicy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in Self.isolation { headers[name] = value }
        return headers
    }

    private static let isolation: [(HTTPField.Name, String)] = [
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
