/// The header fields that every file of a page is served with.
package enum PagePolicy {
    /// The page's content security policy.
    ///
    /// The browser may load, run and request only the page's own files. It runs no script from markup, and shows the page in no
    /// frame. See [CSP Level 3](https://www.w3.org/TR/CSP3/) and [Trusted Types](https://www.w3.org/TR/trusted-types/).
    package static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    /// The fields' names and values: no other page may read the files or open them in a frame.
    package static let headers: [(name: String, value: String)] = [
        ("Content-Security-Policy", contentSecurityPolicy), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
