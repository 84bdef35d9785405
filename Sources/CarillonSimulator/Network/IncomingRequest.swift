import NIOCore
import NIOHPACK

/// A request on its way in.
struct IncomingRequest {
    /// More than any payload that APNs takes; what goes beyond is counted and dropped.
    static let keptByteLimit = 8192

    let headers: HPACKHeaders
    let head: RequestHead
    private(set) var payload = ByteBuffer()
    private(set) var payloadByteCount = 0

    init(_ headers: HPACKHeaders) {
        self.headers = headers
        head = RequestHead(headers)
    }

    mutating func append(_ bytes: inout ByteBuffer) {
        payloadByteCount += bytes.readableBytes
        let room = Self.keptByteLimit - payload.readableBytes
        if bytes.readableBytes > room { bytes = bytes.getSlice(at: bytes.readerIndex, length: room) ?? ByteBuffer() }
        if payload.readableBytes == 0 {
            payload = bytes
        } else {
            payload.writeBuffer(&bytes)
        }
    }
}
