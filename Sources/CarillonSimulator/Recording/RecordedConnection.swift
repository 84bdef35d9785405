import CarillonCore
import Foundation
import NIOCore
import NIOHPACK

/// Reads the frames of one connection between a sender and its APNs as they pass, and tells each request with its end.
///
/// Everything passes as it is, except that a request names the authority that it is meant for: a sender that connects to this machine
/// names this machine.
struct RecordedConnection {
    enum Side { case sender, apns }

    /// A sign that the bytes are no HTTP/2, or more than a recording takes.
    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    private struct Stream {
        var headers = HPACKHeaders()
        var payload = Data()
        var at: Duration?
        var status: Int?
        var answerHeaders: [RequestRecord.Header] = []
        var body = Data()
    }

    private let number: Int
    private let authority: String
    private let pseudonyms: Pseudonyms
    private var frames: [Side: FrameSplitter] = [
        .sender: FrameSplitter(prefaceByteCount: 24), .apns: FrameSplitter(prefaceByteCount: 0),
    ]
    private var decoders: [Side: HPACKDecoder]
    private var encoder: HPACKEncoder
    private var streams: [UInt32: Stream] = [:]
    /// The header block that is arriving, by its side, with the stream and the flags of its first frame.
    private var blocks: [Side: (stream: UInt32, flags: UInt8, bytes: ByteBuffer)] = [:]
    private var entries: [APNsRecording.Entry] = []
    /// The last stream that APNs processes, by its GOAWAY; `nil` before one.
    private var lastProcessedStream: UInt32?

    /// - Parameters:
    ///   - number: the connection's number, counted from 1.
    ///   - authority: the `:authority` that APNs gets.
    ///   - pseudonyms: the device tokens' other names.
    init(number: Int, authority: String, pseudonyms: Pseudonyms) {
        (self.number, self.authority, self.pseudonyms) = (number, authority, pseudonyms)
        let allocator = ByteBufferAllocator()
        decoders = [.sender: HPACKDecoder(allocator: allocator), .apns: HPACKDecoder(allocator: allocator)]
        // A table of its own would have to follow APNs' SETTINGS.
        encoder = HPACKEncoder(allocator: allocator, maxDynamicTableSize: 0)
    }

    /// Takes bytes of one side.
    ///
    /// - Returns: the bytes for the other side, and what has ended.
    /// - Throws: ``Violation`` if the connection cannot go on.
    mutating func received(
        _ bytes: ByteBuffer, from side: Side, at now: Duration
    ) throws -> (forward: ByteBuffer, entries: [APNsRecording.Entry]) {
        entries = []
        var forward = ByteBuffer()
        frames[side]?.append(bytes)
        if var preface = frames[side]?.takePreface() { forward.writeBuffer(&preface) }
        while let frame = try frames[side]?.next() { try pass(frame, from: side, at: now, into: &forward) }
        return (forward, entries)
    }

    /// Returns the requests that have no end, because one side has ended the connection.
    mutating func ended(by side: Side, at now: Duration) -> [APNsRecording.Entry] {
        entries = []
        for id in streams.keys.sorted() { end(id, side == .apns ? .cut : .abandoned, at: now) }
        return entries
    }

    private mutating func pass(
        _ frame: FrameSplitter.Frame, from side: Side, at now: Duration, into forward: inout ByteBuffer
    ) throws {
        switch frame.type {
        case FrameSplitter.headers:
            blocks[side] = (frame.stream, frame.flags, try frame.content(hasPriority: true))
            if side == .apns { forward.writeImmutableBuffer(frame.whole) }
            if frame.isEndOfHeaders { try completeBlock(of: side, at: now, into: &forward) }
            return
        case FrameSplitter.continuation:
            blocks[side]?.bytes.writeImmutableBuffer(frame.payload)
            let limit = SimulatorLimits.recordedHeaderByteLimit
            guard (blocks[side]?.bytes.readableBytes ?? 0) <= limit else {
                throw Violation(description: "a header block is longer than \(limit) bytes")
            }
            if side == .apns { forward.writeImmutableBuffer(frame.whole) }
            if frame.isEndOfHeaders { try completeBlock(of: side, at: now, into: &forward) }
            return
        case FrameSplitter.data: try data(frame, from: side, at: now)
        case FrameSplitter.resetStream:
            let code = frame.payload.getInteger(at: frame.payload.readerIndex, as: UInt32.self) ?? 0
            end(frame.stream, side == .apns ? .reset(code: code) : .abandoned, at: now)
        case FrameSplitter.settings: settings(frame, from: side)
        case FrameSplitter.goAway where side == .apns: goAway(frame, at: now)
        default: break
        }
        forward.writeImmutableBuffer(frame.whole)
    }

    private mutating func completeBlock(of side: Side, at now: Duration, into forward: inout ByteBuffer) throws {
        guard var block = blocks.removeValue(forKey: side),
            let headers = try decoders[side]?.decodeHeaders(from: &block.bytes)
        else { return }
        let (stream, isEnd) = (block.stream, block.flags & FrameSplitter.endOfStream != 0)
        switch side {
        case .sender:
            let isRequest = headers.contains(name: ":method")
            if isRequest { streams[stream] = Stream(headers: headers) }
            try writeHeaders(isRequest ? readdressed(headers) : headers, stream: stream, isEnd: isEnd, into: &forward)
            if isEnd { streams[stream]?.at = now }
        case .apns:
            if let status = headers.first(name: ":status").flatMap({ Int($0) }), status >= 200 {
                streams[stream]?.status = status
                streams[stream]?.answerHeaders = headers.filter { !$0.name.hasPrefix(":") && $0.name != "date" }
                    .map { RequestRecord.Header(name: $0.name, value: $0.value) }
            }
            if isEnd { answered(stream, at: now) }
        }
    }

    private func readdressed(_ headers: HPACKHeaders) -> HPACKHeaders {
        var headers = headers
        headers.remove(name: "host")
        if headers.contains(name: ":authority") { headers.replaceOrAdd(name: ":authority", value: authority) }
        // Pseudo-headers come first (RFC 9113, section 8.3).
        var ordered = HPACKHeaders()
        for (name, value, indexing) in headers where name.hasPrefix(":") {
            ordered.add(name: name, value: value, indexing: indexing)
        }
        for (name, value, indexing) in headers where !name.hasPrefix(":") {
            ordered.add(name: name, value: value, indexing: indexing)
        }
        return ordered
    }

    private mutating func writeHeaders(
        _ headers: HPACKHeaders, stream: UInt32, isEnd: Bool, into forward: inout ByteBuffer
    ) throws {
        var block = ByteBuffer()
        try encoder.encode(headers: headers, to: &block)
        let limit = SimulatorLimits.frameByteLimit
        guard block.readableBytes <= limit else {
            throw Violation(description: "the headers of a request have more than \(limit) bytes")
        }
        FrameSplitter.write(
            FrameSplitter.headers, flags: FrameSplitter.endOfHeaders | (isEnd ? FrameSplitter.endOfStream : 0),
            stream: stream, block, into: &forward)
    }

    private mutating func data(_ frame: FrameSplitter.Frame, from side: Side, at now: Duration) throws {
        let content = try frame.content(hasPriority: false)
        let room = SimulatorLimits.keptBodyByteLimit
        switch side {
        case .sender:
            streams[frame.stream]?.payload.append(contentsOf: content.readableBytesView.prefix(room))
            if frame.isEndOfStream { streams[frame.stream]?.at = now }
        case .apns:
            streams[frame.stream]?.body.append(contentsOf: content.readableBytesView.prefix(room))
            if frame.isEndOfStream { answered(frame.stream, at: now) }
        }
    }

    private mutating func settings(_ frame: FrameSplitter.Frame, from side: Side) {
        guard frame.flags & FrameSplitter.acknowledgement == 0 else { return }
        var payload = frame.payload
        while let (name, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
            // SETTINGS_HEADER_TABLE_SIZE allows the other side's encoder a table of this size (RFC 7541, section 4.2).
            guard name == 1 else { continue }
            let size = min(Int(value), SimulatorLimits.recordedHeaderByteLimit)
            decoders[side == .sender ? .apns : .sender]?.maxDynamicTableLength = size
        }
    }

    private mutating func goAway(_ frame: FrameSplitter.Frame, at now: Duration) {
        lastProcessedStream = frame.payload.getInteger(at: frame.payload.readerIndex, as: UInt32.self)
            .map { $0 & 0x7FFF_FFFF }
        let debug = Data(frame.payload.readableBytesView.dropFirst(8))
        let reason = (try? JSONValue(parsing: debug))?["reason"]?.stringValue
        entries.append(.goAway(APNsRecording.GoAway(connection: number, at: now, reason: reason)))
    }

    // MARK: Entries

    private mutating func answered(_ id: UInt32, at now: Duration) {
        guard let stream = streams[id], let status = stream.status else { return }
        let body = String(decoding: stream.body, as: UTF8.self)
        end(id, .answered(status: status, headers: stream.answerHeaders, body: body), at: now)
    }

    private mutating func end(_ id: UInt32, _ ending: APNsRecording.Ending, at now: Duration) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        // A request after GOAWAY was never processed (RFC 9113, section 6.8): its sender sends it again elsewhere.
        if let lastProcessedStream, id > lastProcessedStream { return }
        let path = stream.headers.first(name: ":path") ?? ""
        let prefix = RequestTarget.pathPrefix
        let token = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
        let headers = stream.headers.filter { $0.name.hasPrefix("apns-") || $0.name == "user-agent" }
        let at = stream.at ?? now
        entries.append(
            .exchange(
                APNsRecording.Exchange(
                    connection: number, at: at, method: stream.headers.first(name: ":method") ?? "",
                    path: token == nil ? path : prefix, token: token.map { pseudonyms.pseudonym(of: $0) },
                    headers: headers.map { RequestRecord.Header(name: $0.name, value: $0.value) },
                    payload: pseudonyms.payload(stream.payload, token: token), ending: ending,
                    after: max(.zero, now - at))))
    }
}
