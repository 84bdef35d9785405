import NIOCore
import NIOHPACK

/// A request that is being received.
struct IncomingRequest {
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
        let room = SimulatorLimits.keptBodyByteLimit - payload.readableBytes
        if bytes.readableBytes > room { bytes = bytes.getSlice(at: bytes.readerIndex, length: room) ?? ByteBuffer() }
        if payload.readableBytes == 0 {
            payload = bytes
        } else {
            payload.writeBuffer(&bytes)
        }
    }
}
