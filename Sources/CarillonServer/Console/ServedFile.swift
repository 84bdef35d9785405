import CarillonPage
import HTTPTypes
import Hummingbird
import NIOCore

/// A file as the service sends it to a browser: compressed if the browser accepts gzip and the file becomes smaller.
package struct ServedFile: Sendable {
    package let file: PageFile
    /// The bytes in the gzip format; `nil` for a file that would not become smaller.
    let compressed: [UInt8]?

    /// Compresses a file, once for all answers.
    package init(_ file: PageFile) {
        self.file = file
        compressed = Gzip.compressed(file.bytes).flatMap { $0.count < file.bytes.count ? $0 : nil }
    }

    /// Returns an answer with the file, or a 304 if the browser's copy is still valid.
    ///
    /// - Parameters:
    ///   - request: the request's headers.
    ///   - headers: further headers of the answer. The default is none.
    /// - Returns: the answer.
    package func response(to request: HTTPFields, headers: HTTPFields = [:]) -> Response {
        let isCompressed = compressed != nil && Self.takesGzip(request)
        // The two forms are different representations, and have different tags (RFC 9110, section 8.8.3).
        let tag = isCompressed ? file.entityTag.dropLast() + "-gzip\"" : file.entityTag[...]
        var headers = headers
        headers[.contentType] = file.mediaType
        headers[.eTag] = String(tag)
        headers[.vary] = "Accept-Encoding"
        // The browser asks again each time and gets a 304, so a newer binary shows its own page at once. Only pictures and
        // fonts, which change nothing that is said, may be older.
        headers[.cacheControl] = Self.mayBeOlder.contains { file.mediaType.hasPrefix($0) } ? "max-age=300" : "no-cache"
        headers[.xContentTypeOptions] = "nosniff"
        let isKnown = request[.ifNoneMatch]?.contains(tag) ?? false
        guard !isKnown else { return Response(status: .notModified, headers: headers) }
        if isCompressed { headers[.contentEncoding] = "gzip" }
        let bytes = isCompressed ? compressed ?? file.bytes : file.bytes
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static let mayBeOlder = ["image/", "font/"]

    /// Whether `Accept-Encoding` names gzip and does not refuse it with a weight of 0 (RFC 9110, section 12.5.3).
    private static func takesGzip(_ request: HTTPFields) -> Bool {
        guard let accepted = request[.acceptEncoding] else { return false }
        return accepted.split(separator: ",").contains { choice in
            let parts = choice.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return parts.first == "gzip" && !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
        }
    }
}
