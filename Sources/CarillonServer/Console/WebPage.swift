import HTTPTypes
import Hummingbird
import NIOCore

/// A web page at `/`, with its files.
///
/// The service itself serves no page. The program that runs the service adds ``console``, or a page of its own. Both
/// include ``sharedFiles``.
package struct WebPage: Sendable {
    /// The page's content security policy.
    ///
    /// The browser may load, run and request only the page's own files. It runs no script from markup, and shows the page in no
    /// frame. See [CSP Level 3](https://www.w3.org/TR/CSP3/) and [Trusted Types](https://www.w3.org/TR/trusted-types/).
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    package let files: [PageFile]
    /// The `Link` header of `index.html`, which names each module.
    ///
    /// With this header the browser requests all modules at once, instead of one after the other as they import each
    /// other.
    private let moduleLinks: String

    /// Makes a page of files.
    ///
    /// - Parameter files: all files that the page loads, including `index.html`, with distinct names.
    package init(_ files: [PageFile]) {
        self.files = files
        moduleLinks = files.map(\.name).filter { $0.hasSuffix(".js") }.map { "<\($0)>; rel=modulepreload" }
            .joined(separator: ", ")
    }

    /// Adds one route for each file.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for file in files {
            router.get(RouterPath(file.path)) { request, _ in response(to: request.headers, with: file) }
        }
    }

    /// Returns an answer with the file, or a 304 if the browser's copy is still valid.
    func response(to headers: HTTPFields, with file: PageFile) -> Response {
        let isKnown = headers[.ifNoneMatch]?.contains(file.entityTag) ?? false
        guard !isKnown else { return Response(status: .notModified, headers: self.headers(of: file)) }
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        return Response(status: .ok, headers: self.headers(of: file), body: body)
    }

    private func headers(of file: PageFile) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: file.mediaType,
            .eTag: file.entityTag,
            // The browser asks again each time and gets a 304, so a newer binary shows its own page at once.
            .cacheControl: "no-cache",
            .contentSecurityPolicy: Self.contentSecurityPolicy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in Self.isolation { headers[name] = value }
        if file.name == "index.html", let link = Self.link { headers[link] = moduleLinks }
        return headers
    }

    private static let link = HTTPField.Name("Link")
    private static let isolation: [(HTTPField.Name, String)] = [
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
