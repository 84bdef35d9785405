import NIOHPACK

extension HPACKHeaders {
    /// Whether no field value starts or ends with white space.
    ///
    /// RFC 9113 §8.2.1: "A field value MUST NOT start or end with an ASCII whitespace character". NIOHTTP2 checks all other rules
    /// about field values.
    var areFreeOfOuterSpace: Bool {
        allSatisfy { _, value, _ in !Self.isSpace(value.utf8.first) && !Self.isSpace(value.utf8.last) }
    }

    private static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
}
