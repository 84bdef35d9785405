import Crypto

/// One file of a web page, embedded in the binary.
package struct PageFile: Sendable {
    /// The file's name in its source folder, such as `api.js`.
    package let name: String
    package let bytes: [UInt8]
    /// A strong entity tag (RFC 9110, section 8.8.3): files with equal bytes have equal tags.
    package let entityTag: String

    /// Makes a file of a web page.
    ///
    /// - Parameters:
    ///   - name: the file's name, whose ending gives the media type: `html`, `css`, `js`, `json`, `md`, `otf`, `svg` or
    ///     `txt`.
    ///   - bytes: the file's bytes, from the resource rule `.embedInCode`.
    package init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        let digest = SHA256.hash(data: bytes).prefix(12).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
            .joined()
        entityTag = "\"\(digest)\""
    }

    /// The path at which the file is served: `/` for `index.html`, otherwise `/` followed by the name.
    package var path: String { name == "index.html" ? "/" : "/\(name)" }

    /// The media type of the file, by its name's ending.
    package var mediaType: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "otf": "font/otf"
        case "svg": "image/svg+xml"
        // As text, since browsers download Markdown.
        case "md", "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
