import NIOCore
import NIOHPACK
import NIOHTTP2

extension Answer {
    /// Returns the frames of the answer: HEADERS, and DATA if the answer has a body and `withBody` is true.
    func frames(withBody: Bool) -> [HTTP2Frame.FramePayload] {
        var fields = HPACKHeaders()
        fields.add(name: ":status", value: String(status))
        for header in headers { fields.add(name: header.name, value: header.value, indexing: .nonIndexable) }
        guard withBody, let body else { return [.headers(.init(headers: fields, endStream: true))] }
        return [
            .headers(.init(headers: fields, endStream: false)),
            .data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)),
        ]
    }
}
