import Foundation

/// A parser for an HTTP/1.1 response with server-sent events, which reads the bytes as they arrive.
///
/// The events follow the [HTML Living Standard §9.2](https://html.spec.whatwg.org/multipage/server-sent-events.html), and the
/// chunked coding follows [RFC 9112 §7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1). The parser is a value, and opens
/// no socket.
struct EventStreamReader {
    enum Failure: Error, Equatable {
        /// The response's status is not 200.
        case refused(String)
        /// The response is not chunked, has a chunk without a size, or has a line or an event that is too long.
        case malformed(String)
        /// The last chunk of the response has arrived.
        case ended
    }

    private enum Part: Equatable {
        case status, header, chunkSize, chunk(remaining: Int), chunkEnd
    }

    private var part = Part.status
    private var isChunked = false
    private var line: [UInt8] = []
    private var event: [UInt8] = []
    private var data: Data?

    /// Parses the next bytes of the response.
    ///
    /// - Parameters:
    ///   - bytes: the new bytes.
    ///   - take: called with the data of each complete event, even if a later byte makes this method throw; called with `nil`
    ///     for a comment line of the stream.
    /// - Throws: the reason why the stream is over.
    mutating func read(_ bytes: some Collection<UInt8>, _ take: (Data?) -> Void) throws(Failure) {
        for byte in bytes {
            if case .chunk(let remaining) = part {
                part = remaining > 1 ? .chunk(remaining: remaining - 1) : .chunkEnd
                if byte == UInt8(ascii: "\n") { try endEventLine(take) } else { try Self.keep(byte, in: &event) }
            } else if byte == UInt8(ascii: "\n") {
                try endProtocolLine()
            } else {
                try Self.keep(byte, in: &line)
            }
        }
    }

    private static func keep(_ byte: UInt8, in line: inout [UInt8]) throws(Failure) {
        guard line.count < PhoneLimits.eventBytes else {
            throw .malformed("a line of over \(PhoneLimits.eventBytes) bytes")
        }
        line.append(byte)
    }

    private mutating func endProtocolLine() throws(Failure) {
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        line = []
        switch part {
        case .status:
            guard text.split(separator: " ").dropFirst().first == "200" else { throw .refused(text) }
            part = .header
        case .header where text.isEmpty:
            guard isChunked else { throw .malformed("an answer that is not in chunks") }
            part = .chunkSize
        case .header:
            let header = text.lowercased()
            if header.hasPrefix("transfer-encoding:"), header.hasSuffix("chunked") { isChunked = true }
        case .chunkSize:
            guard let size = Int(text.prefix { $0 != ";" }, radix: 16), size >= 0 else {
                throw .malformed("a chunk without a size")
            }
            guard size > 0 else { throw .ended }
            part = .chunk(remaining: size)
        case .chunk, .chunkEnd: part = .chunkSize
        }
    }

    private mutating func endEventLine(_ take: (Data?) -> Void) throws(Failure) {
        let isComment = event.first == UInt8(ascii: ":")
        if event.starts(with: "data:".utf8) {
            guard (data?.count ?? 0) + event.count < PhoneLimits.eventBytes else {
                throw .malformed("an event of over \(PhoneLimits.eventBytes) bytes")
            }
            // A line break joins the data lines of an event.
            if data == nil { data = Data() } else { data?.append(UInt8(ascii: "\n")) }
            data?.append(contentsOf: event.dropFirst("data:".utf8.count))
        } else if event.isEmpty, let data {
            take(data)
            self.data = nil
        } else if isComment {
            take(nil)
        }
        event = []
    }
}
