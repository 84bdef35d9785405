import Crypto
import Foundation

/// One file of a web page, embedded in the binary.
package struct PageFile: Sendable {
    /// The file's name in the folder that it was embedded from, such as `api.js`.
    package let name: String
    package let bytes: [UInt8]
    /// A strong validator (RFC 9110, section 8.8.3), equal for equal bytes.
    let entityTag: String

    /// - Parameters:
    ///   - name: the file's name, whose ending gives the media type: `html`, `css`, `js` or `svg`.
    ///   - bytes: the bytes that `.embedInCode` has made of the file.
    package init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        let digest = SHA256.hash(data: bytes).prefix(12).map { String(format: "%02x", $0) }.joined()
        entityTag = "\"\(digest)\""
    }

    /// The path at which it is served: `/` for `index.html`, else its name.
    package var path: String { name == "index.html" ? "/" : "/\(name)" }

    var mediaType: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
