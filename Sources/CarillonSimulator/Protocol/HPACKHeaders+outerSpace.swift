import NIOHPACK

extension HPACKHeaders {
    /// Whether no field value starts or ends with white space.
    ///
    /// RFC 9113 §8.2.1: "A field value MUST NOT start or end with an ASCII whitespace character". It is the only rule about
    /// field values that NIOHTTP2 does not check.
    var areFreeOfOuterSpace: Bool {
        allSatisfy { _, value, _ in !Self.isSpace(value.utf8.first) && !Self.isSpace(value.utf8.last) }
    }

    private static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
}
