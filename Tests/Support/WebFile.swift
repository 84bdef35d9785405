import Foundation

/// What a ``WebServer`` answers for one path.
package struct WebFile: Sendable {
    private var status = "200 OK"
    private var header = ""
    private var type = "application/octet-stream"
    private var body = Data()
    /// How often the body follows itself.
    private var repeatCount = 1
    private var saysLength = true
    private(set) var isSilent = false
    private(set) var ends = true

    /// A file with this text.
    package static func text(_ text: String) -> WebFile { WebFile(type: "text/plain", body: Data(text.utf8)) }

    /// A file of zeros, a picture by name.
    ///
    /// - Parameters:
    ///   - byteCount: its length, in whole chunks of 64 KiB when it is longer than one.
    ///   - type: what the server calls it.
    ///   - saysLength: whether the answer begins with the length; otherwise it ends where the connection does.
    ///   - ends: `false`: another byte is announced or expected, and never comes.
    package static func zeros(
        _ byteCount: Int, type: String = "image/png", saysLength: Bool = true, ends: Bool = true
    ) -> WebFile {
        let chunk = min(byteCount, 64 << 10)
        return WebFile(
            type: type, body: Data(count: chunk), repeatCount: chunk == 0 ? 0 : byteCount / chunk,
            saysLength: saysLength, ends: ends)
    }

    /// The request is taken and never answered.
    package static let silent = WebFile(isSilent: true)

    /// A proxy that asks for a user and a password.
    package static let challenge = WebFile(
        status: "401 Unauthorized", header: "WWW-Authenticate: Basic realm=\"x\"\r\n")

    static let notFound = WebFile(status: "404 Not Found")

    var head: Data {
        let length = saysLength ? "Content-Length: \(body.count * repeatCount + (ends ? 0 : 1))\r\n" : ""
        return Data("HTTP/1.1 \(status)\r\n\(length)\(header)Content-Type: \(type)\r\nConnection: close\r\n\r\n".utf8)
    }

    var chunks: some Sequence<Data> { repeatElement(body, count: repeatCount) }
}
