import NIOCore
import NIOHTTP1

/// The first bytes of the line with which the newest input from a socket begins.
///
/// If the HTTP parser fails on this input, these bytes tell whether the request line or a header is at fault.
struct LineStart {
    /// The first bytes of the line with which the newest input begins.
    ///
    /// If that line began in earlier input, its first bytes come from there.
    private var bytes: [UInt8] = []
    /// The first bytes of the line that the newest input left incomplete.
    private var unfinished: [UInt8] = []

    /// Whether the line in ``bytes`` is a request line with a method, well formed or not.
    ///
    /// Otherwise the line is a header, or no text at all.
    var isRequestLine: Bool {
        guard let end = bytes.firstIndex(of: UInt8(ascii: " ")), end > 0 else { return false }
        return bytes[..<end].allSatisfy {
            (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) && $0 != UInt8(ascii: ":")
        }
    }

    /// Takes the newest input from the socket.
    ///
    /// - Parameters:
    ///   - input: the input.
    ///   - isBody: whether the input begins within the body of a request. Such input is not looked at: a body has no lines that
    ///     the parser could fail on, and may be long.
    mutating func received(_ input: some BidirectionalCollection<UInt8>, isBody: Bool) {
        guard !isBody else {
            (bytes, unfinished) = ([], [])
            return
        }
        let newline = UInt8(ascii: "\n")
        bytes = unfinished + input.prefix(ServiceLimits.methodBytes - unfinished.count).prefix { $0 != newline }
        if let end = input.lastIndex(of: newline) {
            unfinished = Array(input[input.index(after: end)...].prefix(ServiceLimits.methodBytes))
        } else {
            unfinished = bytes
        }
    }

    /// Forgets the last line of the newest input, because it belongs to the body of a request that is now complete.
    mutating func endedBody() { unfinished = [] }
}

/// A channel handler that shows the input from the socket to a ``LineStart``, before the HTTP parser reads the input.
final class LineWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The line with which the newest input begins.
    private(set) var start = LineStart()
    /// Whether the parser has read the head of a request, and not the end of the request yet.
    private var isBody = false
    /// Whether the request that is being parsed has a body.
    private var hasBody = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        start.received(unwrapInboundIn(data).readableBytesView, isBody: isBody)
        context.fireChannelRead(data)
    }

    /// Takes a part of a request that the parser has read from the newest input.
    func parsed(_ part: HTTPServerRequestPart) {
        switch part {
        case .head: (isBody, hasBody) = (true, false)
        case .body: hasBody = true
        case .end:
            if hasBody { start.endedBody() }
            isBody = false
        }
    }
}
