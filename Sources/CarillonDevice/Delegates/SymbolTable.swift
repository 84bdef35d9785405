import Foundation

/// The names of the functions in an ELF file, as the linker left them for debuggers.
///
/// [ELF-64](https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.symtab.html). Every offset in the file is checked before
/// it is followed.
struct SymbolTable {
    private let data: Data
    private let symbols: Range<Int>
    private let strings: Range<Int>

    private static let symbolByteCount = 24
    private static let sectionByteCount = 64
    /// `SHT_SYMTAB`.
    private static let symbolSection: UInt32 = 2

    /// - Returns: `nil` when it cannot be read, is no ELF-64 file of this machine, or has been stripped.
    init?(file: URL) {
        guard let data = try? Data(contentsOf: file, options: .alwaysMapped) else { return nil }
        self.init(data: data)
    }

    init?(data: Data) {
        // Magic number, 64 bits, least significant byte first.
        guard data.prefix(6).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        let reader = Reader(data: data)
        guard let table = reader.integer(UInt64.self, at: 40), let count = reader.integer(UInt16.self, at: 60),
            let start = Int(exactly: table)
        else { return nil }
        let sections = (0..<Int(count)).map { start &+ $0 * Self.sectionByteCount }
        guard
            let section = sections.first(where: { reader.integer(UInt32.self, at: $0 &+ 4) == Self.symbolSection }),
            let link = reader.integer(UInt32.self, at: section &+ 40), sections.indices.contains(Int(link)),
            let symbols = reader.contents(of: section), let strings = reader.contents(of: sections[Int(link)])
        else { return nil }
        self.data = data
        self.symbols = symbols
        self.strings = strings
    }

    /// The names that begin with one of `prefixes`, grouped by it.
    func names(beginningWith prefixes: [String]) -> [String: [String]] {
        let wanted = prefixes.map { (prefix: $0, bytes: Array($0.utf8)) }
        var found: [String: [String]] = [:]
        data.withUnsafeBytes { file in
            let names = UnsafeRawBufferPointer(rebasing: file[strings])
            for offset in stride(from: symbols.lowerBound, to: symbols.upperBound, by: Self.symbolByteCount) {
                guard offset + Self.symbolByteCount <= symbols.upperBound else { break }
                let start = Int(file.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                for (prefix, bytes) in wanted where start + bytes.count < names.count {
                    guard let base = names.baseAddress, memcmp(base + start, bytes, bytes.count) == 0 else { continue }
                    let rest = names[start...].prefix { $0 != 0 }
                    found[prefix, default: []].append(String(decoding: rest, as: UTF8.self))
                }
            }
        }
        return found
    }

    private struct Reader {
        let data: Data

        func integer<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value? {
            guard offset >= 0, offset <= data.count - MemoryLayout<Value>.size else { return nil }
            return data.withUnsafeBytes {
                Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
            }
        }

        func contents(of section: Int) -> Range<Int>? {
            guard let offset = integer(UInt64.self, at: section &+ 24).flatMap(Int.init(exactly:)),
                let size = integer(UInt64.self, at: section &+ 32).flatMap(Int.init(exactly:)),
                offset <= data.count, size <= data.count - offset
            else { return nil }
            return offset..<offset + size
        }
    }
}
