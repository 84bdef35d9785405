import Foundation

/// The answer of a ``WebServer`` for one path.
package struct WebFile: Sendable {
    private var status = "200 OK"
    private var header = ""
    private var type = "application/octet-stream"
    private var body = Data()
    /// The number of times that the body is sent.
    private var repeatCount = 1
    private var saysLength = true
    private(set) var isSilent = false
    private(set) var ends = true

    /// Makes a file with this text.
    package static func text(_ text: String) -> WebFile { WebFile(type: "text/plain", body: Data(text.utf8)) }

    /// Makes a file of zeros that is named as a picture.
    ///
    /// - Parameters:
    ///   - byteCount: the file's length, in whole chunks of 64 KiB when it is longer than one.
    ///   - type: the media type that the server names.
    ///   - saysLength: whether the answer begins with the length; otherwise the connection's end marks its end.
    ///   - ends: whether the answer is complete; otherwise one more byte is announced or expected, and never comes.
    package static func zeros(
        _ byteCount: Int, type: String = "image/png", saysLength: Bool = true, ends: Bool = true
    ) -> WebFile {
        let chunk = min(byteCount, 64 << 10)
        return WebFile(
            type: type, body: Data(count: chunk), repeatCount: chunk == 0 ? 0 : byteCount / chunk,
            saysLength: saysLength, ends: ends)
    }

    /// An answer that never comes, though the server has accepted the request.
    package static let silent = WebFile(isSilent: true)

    /// The answer of a proxy that asks for a user and a password.
    package static let challenge = WebFile(
        status: "401 Unauthorized", header: "WWW-Authenticate: Basic realm=\"x\"\r\n")

    static let notFound = WebFile(status: "404 Not Found")

    var head: Data {
        let length = saysLength ? "Content-Length: \(body.count * repeatCount + (ends ? 0 : 1))\r\n" : ""
        return Data("HTTP/1.1 \(status)\r\n\(length)\(header)Content-Type: \(type)\r\nConnection: close\r\n\r\n".utf8)
    }

    var chunks: some Sequence<Data> { repeatElement(body, count: repeatCount) }
}
