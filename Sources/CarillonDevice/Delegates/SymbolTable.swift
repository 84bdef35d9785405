import Foundation

/// The names of the functions in an ELF file, from the symbol table that the linker leaves for debuggers.
///
/// The file format is [ELF-64](https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.symtab.html). The reader checks every offset
/// before using it.
struct SymbolTable {
    private let data: Data
    private let strings: Range<Int>

    private static let sectionByteCount = 64
    /// The type of a section that contains symbols: `SHT_SYMTAB`.
    private static let symbolSection: UInt32 = 2

    /// Reads the symbol table of a file.
    ///
    /// - Returns: `nil` if the file cannot be read, is not an ELF-64 file of this machine, or has been stripped.
    init?(file: URL) {
        guard let data = try? Data(contentsOf: file, options: .alwaysMapped) else { return nil }
        self.init(data: data)
    }

    init?(data: Data) {
        // Checks the magic number, the 64-bit class, and the byte order (least significant byte first).
        guard data.prefix(6).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        let reader = Reader(data: data)
        guard let table = reader.integer(UInt64.self, at: 40), let count = reader.integer(UInt16.self, at: 60),
            let start = Int(exactly: table)
        else { return nil }
        let sections = (0..<Int(count)).map { start &+ $0 * Self.sectionByteCount }
        guard
            let section = sections.first(where: { reader.integer(UInt32.self, at: $0 &+ 4) == Self.symbolSection }),
            let link = reader.integer(UInt32.self, at: section &+ 40), sections.indices.contains(Int(link)),
            reader.contents(of: section) != nil, let strings = reader.contents(of: sections[Int(link)])
        else { return nil }
        self.data = data
        self.strings = strings
    }

    /// Returns the names that begin with one of `prefixes`, grouped by prefix.
    func names(beginningWith prefixes: [String]) -> [String: [String]] {
        var found: [String: [String]] = [:]
        data.withUnsafeBytes { file in
            for prefix in prefixes {
                let names = Self.names(beginningWith: prefix, in: UnsafeRawBufferPointer(rebasing: file[strings]))
                if !names.isEmpty { found[prefix] = names }
            }
        }
        return found
    }

    /// Returns the names that begin with a prefix.
    ///
    /// The method scans the table of names with C functions instead of following each symbol. In the unoptimised builds of
    /// tests, half a million names take 130 ms this way, instead of 650 ms.
    private static func names(beginningWith prefix: String, in strings: UnsafeRawBufferPointer) -> [String] {
        guard let start = strings.baseAddress else { return [] }
        let (end, wanted) = (start + strings.count, Array(prefix.utf8))
        let wantedCount = wanted.count
        var found: [String] = []
        var name = start
        while name < end {
            // A damaged file may lack the NUL after the last name.
            let count = strnlen(name.assumingMemoryBound(to: CChar.self), end - name)
            if count >= wantedCount && memcmp(name, wanted, wantedCount) == 0 {
                found.append(String(decoding: UnsafeRawBufferPointer(start: name, count: count), as: UTF8.self))
            }
            name += count + 1
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

/// The Swift runtime's demangler of symbols.
enum Demangling {
    static func text(of symbol: String) -> String? {
        guard let text = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

/// Demangles a symbol; the caller must free the result.
///
/// The function is part of the Swift runtime's stable interface on Linux too, but no header declares it.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// The executable or library file from which a class was loaded.
enum ImageFile {
    /// Returns the file from which a class was loaded, according to the kernel's list of memory mappings.
    ///
    /// If the list names no file for the class, returns the program's own file.
    static func containing(_ type: AnyClass) -> URL {
        let address = UInt(bitPattern: Unmanaged.passUnretained(type as AnyObject).toOpaque())
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] <= address, address < ends[1] else { continue }
            guard words.count == 6, words[5].hasPrefix("/") else { break }
            return URL(filePath: String(words[5]))
        }
        return URL(filePath: "/proc/self/exe")
    }
}
