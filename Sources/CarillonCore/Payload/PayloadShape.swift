/// The outline of a payload: whether it is a JSON dictionary, and whether its `aps` has members.
///
/// APNs does not interpret anything else. ``PayloadScanner`` reads the bytes once and builds no values, so it is many times
/// faster than a decoder. The syntax is RFC 8259's, without a byte order mark; nesting is limited to ``JSONValue/depthLimit``.
package enum PayloadShape: Hashable {
    package enum Aps: Hashable { case absent, empty, filled }

    case nothing
    case malformed
    /// A dictionary; `hasOther` tells whether it has members beside `aps`.
    case dictionary(aps: Aps, hasOther: Bool)

    package init(reading bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else {
            self = .nothing
            return
        }
        var scanner = PayloadScanner(bytes: bytes)
        guard let (aps, hasOther) = scanner.scanPayload() else {
            self = .malformed
            return
        }
        self = .dictionary(aps: aps, hasOther: hasOther)
    }
}
