import CarillonCore
import Foundation
import NIOCore

/// Writes the header blocks of one connection's requests ([RFC 7541](https://www.rfc-editor.org/rfc/rfc7541)).
///
/// A repeated field takes one byte. A new field is written without Huffman coding, which would save 20 bytes of a device token
/// but cost more time than the rest of the encoder. Apple demands that `:path` and `authorization` are never indexed. The
/// encoder does not check the values, because the client has checked them before.
struct HeaderEncoder: Sendable {
    /// The value that a header field had in the last request; the next request usually has an equal value.
    private struct Latest: Sendable {
        var value = ""
        /// The number of the value's entry among all entries ever inserted into the table; `nil` if the value was never
        /// inserted.
        var number: Int?
    }

    /// The header fields that the notifications of a message to many devices have in common, encoded in one byte each.
    private struct Repeated: Sendable {
        let notification: APNsNotification
        let authority: String
        /// The number of entries that had been inserted into the header table when these fields were encoded.
        ///
        /// Each later entry shifts the table's indices, so the encoded bytes are then no longer valid.
        let insertionCount: Int
        let authorityByte: UInt8
        let fieldBytes: ByteBuffer

        func fits(_ other: APNsNotification, _ authority: String, _ insertionCount: Int) -> Bool {
            insertionCount == self.insertionCount
                && other.payload.byteCount == notification.payload.byteCount && other.pushType == notification.pushType
                && other.priority == notification.priority && other.expiration == notification.expiration
                && other.topic == notification.topic && other.collapseID == notification.collapseID
                && authority == self.authority
        }
    }

    private var table = HeaderTable()
    private var repeated: Repeated?
    private var latest: [Latest] = Array(repeating: Latest(), count: HeaderField.allCases.count)
    /// The changes of the table's size, in bytes, that the next header block must announce to the server; `nil` if there are
    /// none.
    ///
    /// `smallest` is the smallest size since the last announcement, and `final` is the new size ([RFC 7541
    /// §4.2](https://www.rfc-editor.org/rfc/rfc7541#section-4.2)).
    private var pendingResize: (smallest: Int, final: Int)?

    /// Applies the server's SETTINGS_HEADER_TABLE_SIZE, the greatest size of the table that the server keeps.
    mutating func allowTable(byteCount: Int) {
        let final = min(byteCount, HeaderTable.defaultByteLimit)
        guard final != (pendingResize?.final ?? table.byteLimit) else { return }
        pendingResize = (min(pendingResize?.smallest ?? table.byteLimit, final), final)
    }

    /// Appends the header block of one request.
    ///
    /// - Parameters:
    ///   - notification: the push.
    ///   - authority: the host and port of the endpoint.
    ///   - authorization: the result of ``authorizationField(_:)``; `nil` if the credential is a certificate.
    ///   - buffer: the buffer that the block is appended to.
    mutating func encode(
        _ notification: APNsNotification, authority: String, authorization: ByteBuffer?, into buffer: inout ByteBuffer
    ) {
        if pendingResize != nil { writeResize(into: &buffer) }
        let insertionCount = table.insertionCount
        if let repeated, repeated.fits(notification, authority, insertionCount) {
            buffer.writeMultipleIntegers(Self.method, Self.scheme, repeated.authorityByte)
            Self.writePath(notification.deviceToken.hex, into: &buffer)
            buffer.writeImmutableBuffer(repeated.fieldBytes)
        } else {
            repeated = nil
            buffer.writeMultipleIntegers(Self.method, Self.scheme)
            let start = buffer.writerIndex
            write(.authority, authority, into: &buffer)
            Self.writePath(notification.deviceToken.hex, into: &buffer)
            let fieldStart = buffer.writerIndex
            let count = writeFields(notification, into: &buffer)
            if table.insertionCount == insertionCount, buffer.writerIndex - fieldStart == count,
                let authorityByte = buffer.getInteger(at: start, as: UInt8.self),
                let bytes = buffer.getBytes(at: fieldStart, length: count)
            {
                repeated = Repeated(
                    notification: notification, authority: authority, insertionCount: insertionCount,
                    authorityByte: authorityByte, fieldBytes: ByteBuffer(bytes: bytes))
            }
        }
        buffer.writeStaticString("\u{0}\u{7}apns-id\u{24}")
        notification.apnsID.writeHeaderText(into: &buffer)
        if let authorization { buffer.writeImmutableBuffer(authorization) }
    }

    /// The codes of `:method: POST` and `:scheme: https` in the static table.
    private static let (method, scheme) = (UInt8(0x83), UInt8(0x87))

    /// Writes the fields of a notification.
    ///
    /// - Returns: the number of fields.
    private mutating func writeFields(_ notification: APNsNotification, into buffer: inout ByteBuffer) -> Int {
        write(.topic, notification.topic, into: &buffer)
        write(.pushType, notification.pushType.rawValue, into: &buffer)
        write(.priority, notification.priority.headerText, into: &buffer)
        let expiration = notification.expiration.headerText
        if let expiration { write(.expiration, expiration, into: &buffer) }
        if let collapseID = notification.collapseID { write(.collapseID, collapseID, into: &buffer) }
        write(.contentLength, String(notification.payload.byteCount), into: &buffer)
        return 4 + (expiration == nil ? 0 : 1) + (notification.collapseID == nil ? 0 : 1)
    }

    /// Appends the header block of a broadcast or of a request about channels.
    ///
    /// Such requests are rare, so their fields do not enter the table.
    ///
    /// - Parameters:
    ///   - request: the broadcast or the request.
    ///   - authority: the host and port of the endpoint.
    ///   - authorization: the result of ``authorizationField(_:)``; `nil` if the credential is a certificate.
    ///   - buffer: the buffer that the block is appended to.
    mutating func encode(
        _ request: ChannelRequest, authority: String, authorization: ByteBuffer?, into buffer: inout ByteBuffer
    ) {
        if pendingResize != nil { writeResize(into: &buffer) }
        // In the static table, `:method: GET` is entry 2 and `:method: POST` is entry 3. Any other method is a literal with the
        // name of entry 2.
        switch request.method {
        case .get: buffer.writeInteger(UInt8(0x82))
        case .post: buffer.writeInteger(UInt8(0x83))
        case .delete:
            buffer.writeInteger(UInt8(0x02))
            buffer.writeHPACKString("DELETE")
        }
        buffer.writeInteger(UInt8(0x87))
        write(.authority, authority, into: &buffer)
        buffer.writeInteger(UInt8(0x04))
        buffer.writeHPACKString(request.path)
        for field in request.fields { buffer.writeHPACKLiteral(field.name, field.value) }
        let byteCount = request.body.readableBytes
        if byteCount > 0 { buffer.writeHPACKLiteral("content-length", String(byteCount)) }
        buffer.writeHPACKLiteral("apns-request-id", request.id.uuidString.lowercased())
        if let authorization { buffer.writeImmutableBuffer(authorization) }
    }

    /// Encodes `authorization` as a literal that no proxy may index.
    ///
    /// The field is equal in every header block, so it is encoded only once for each token.
    static func authorizationField(_ value: String) -> ByteBuffer {
        var buffer = ByteBuffer()
        // The form "never indexed", with the name of static entry 23. The number 23 does not fit into the prefix of four bits.
        buffer.writeHPACKInteger(23, prefix: 4, flags: 0x10)
        buffer.writeHPACKString(value)
        return buffer
    }

    /// Writes the path of a push as a literal without indexing.
    ///
    /// The name `:path` is entry 4 of HPACK's static table.
    private static func writePath(_ deviceToken: String, into buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt8(0x04))
        buffer.writeHPACKInteger(deviceToken.utf8.count + 10, prefix: 7, flags: 0)
        buffer.writeStaticString("/3/device/")
        buffer.writeString(deviceToken)
    }

    private mutating func write(_ field: HeaderField, _ value: String, into buffer: inout ByteBuffer) {
        let slot = Int(field.rawValue)
        if latest[slot].value == value {
            if let number = latest[slot].number, let index = table.index(ofNumber: number) {
                return buffer.writeHPACKInteger(index, prefix: 7, flags: 0x80)
            }
        } else {
            latest[slot] = Latest(value: value, number: table.number(of: field, value))
            if let number = latest[slot].number, let index = table.index(ofNumber: number) {
                return buffer.writeHPACKInteger(index, prefix: 7, flags: 0x80)
            }
            if !field.repeatsForSure {
                buffer.writeHPACKName(of: field, prefix: 4, flags: 0)
                return buffer.writeHPACKString(value)
            }
        }
        latest[slot].number = table.insert(field, value)
        buffer.writeHPACKName(of: field, prefix: 6, flags: 0x40)
        buffer.writeHPACKString(value)
    }

    private mutating func writeResize(into buffer: inout ByteBuffer) {
        guard let resize = pendingResize else { return }
        pendingResize = nil
        repeated = nil
        if resize.smallest < resize.final {
            table.resize(to: resize.smallest)
            buffer.writeHPACKInteger(resize.smallest, prefix: 5, flags: 0x20)
        }
        table.resize(to: resize.final)
        buffer.writeHPACKInteger(resize.final, prefix: 5, flags: 0x20)
    }
}

extension ByteBuffer {
    /// Writes an integer ([RFC 7541 §5.1](https://www.rfc-editor.org/rfc/rfc7541#section-5.1)).
    ///
    /// - Parameters:
    ///   - value: the integer, 0 or more.
    ///   - prefix: the number of bits in the first byte for the integer, 4–7.
    ///   - flags: the other bits of the first byte.
    mutating func writeHPACKInteger(_ value: Int, prefix: Int, flags: UInt8) {
        let limit = 1 << prefix - 1
        guard value >= limit else {
            writeInteger(flags | UInt8(truncatingIfNeeded: value))
            return
        }
        writeInteger(flags | UInt8(truncatingIfNeeded: limit))
        var rest = value - limit
        while rest >= 128 {
            writeInteger(UInt8(truncatingIfNeeded: rest & 0x7F | 0x80))
            rest >>= 7
        }
        writeInteger(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a string without Huffman coding ([RFC 7541 §5.2](https://www.rfc-editor.org/rfc/rfc7541#section-5.2)).
    mutating func writeHPACKString(_ text: String) {
        writeHPACKInteger(text.utf8.count, prefix: 7, flags: 0)
        writeString(text)
    }

    /// Writes a field with its name, without adding the field to the table.
    mutating fileprivate func writeHPACKLiteral(_ name: String, _ value: String) {
        writeInteger(UInt8(0))
        writeHPACKString(name)
        writeHPACKString(value)
    }

    mutating fileprivate func writeHPACKName(of field: HeaderField, prefix: Int, flags: UInt8) {
        if let index = field.staticIndex { return writeHPACKInteger(index, prefix: prefix, flags: flags) }
        writeInteger(flags)
        writeHPACKInteger(field.name.utf8CodeUnitCount, prefix: 7, flags: 0)
        writeStaticString(field.name)
    }
}

extension APNsPriority {
    /// The text of this priority in the header `apns-priority`.
    var headerText: String {
        switch self {
        case .immediate: "10"
        case .considerate: "5"
        case .conserving: "1"
        }
    }
}

extension APNsExpiration {
    /// The text of this expiration in the header `apns-expiration`; `nil` to omit the header.
    var headerText: String? {
        switch self {
        case .unspecified: nil
        case .oneAttempt: "0"
        case .at(let moment): String(moment.secondsSince1970)
        }
    }
}
