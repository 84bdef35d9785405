import HTTPTypes
import Hummingbird

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
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    /// The page's files in their source form, from which ``served`` is made.
    package let files: [PageFile]
    /// The page's files as a browser loads them: the scripts joined to one file, and the style sheets to another.
    let served: [ServedFile]

    /// Makes a page of files.
    ///
    /// - Parameter files: all files that the page loads, including `index.html`, with distinct names.
    package init(_ files: [PageFile]) {
        self.files = files
        served = PageBundle(files).files.map(ServedFile.init)
    }

    /// Adds one route for each file that a browser loads.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for file in served {
            router.get(RouterPath(file.file.path)) { request, _ in
                file.response(to: request.headers, headers: Self.headers)
            }
        }
    }

    /// The headers of every file: no other page may read the files or open them in a frame.
    static let headers: HTTPFields = {
        let isolation = [
            "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
        var headers: HTTPFields = [.contentSecurityPolicy: contentSecurityPolicy]
        for (name, value) in isolation { if let name = HTTPField.Name(name) { headers[name] = value } }
        return headers
    }()
}
