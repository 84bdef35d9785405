/// The outline of a payload: whether it is a JSON dictionary, and whether its `aps` holds anything.
///
/// APNs does not interpret the rest, and neither does the simulator: it walks the bytes once, builds nothing, and is many
/// times faster than a decoder. Syntax is RFC 8259's; nesting is bounded.
enum PayloadShape: Hashable {
    enum Aps: Hashable { case absent, empty, filled }

    case nothing
    case malformed
    /// A dictionary; `hasOther` tells whether it has members beside `aps`.
    case dictionary(aps: Aps, hasOther: Bool)

    init(reading bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else {
            self = .nothing
            return
        }
        var scanner = JSONScanner(bytes: bytes)
        guard let (aps, hasOther) = scanner.scanPayload() else {
            self = .malformed
            return
        }
        self = .dictionary(aps: aps, hasOther: hasOther)
    }
}
