import Foundation
import Testing

@testable import CarillonDevice

@Suite("The symbols of a program") struct SymbolTableTests {
    /// An ELF file of a header, two names, two symbols and three section headers.
    private func program(sectionKind: UInt32 = 2, stringsAt: UInt64? = nil, link: UInt32 = 2) -> Data {
        let names = Data("\0$s3AppF\0other\0".utf8)
        func bytes<Value: FixedWidthInteger>(_ value: Value) -> Data {
            withUnsafeBytes(of: value.littleEndian) { Data($0) }
        }
        func section(_ kind: UInt32, _ offset: UInt64, _ size: Int, link: UInt32 = 0) -> Data {
            Data(count: 4) + bytes(kind) + Data(count: 16) + bytes(offset) + bytes(UInt64(size)) + bytes(link)
                + Data(count: 20)
        }
        let symbols = bytes(UInt32(1)) + Data(count: 20) + bytes(UInt32(9)) + Data(count: 20)
        let header =
            Data([0x7F, 0x45, 0x4C, 0x46, 2, 1]) + Data(count: 34) + bytes(UInt64(64)) + Data(count: 12)
            + bytes(UInt16(3)) + Data(count: 2)
        let start = UInt64(64 + 3 * 64)
        return header + section(0, 0, 0) + section(sectionKind, start, symbols.count, link: link)
            + section(3, stringsAt ?? start + UInt64(symbols.count), names.count) + symbols + names
    }

    @Test("are found by their beginning")
    func found() throws {
        let table = try #require(SymbolTable(data: program()))
        #expect(table.names(beginningWith: ["$s3App", "$s5Other"]) == ["$s3App": ["$s3AppF"]])
    }

    @Test("of a stripped program are not there, and neither are those of a file that is none")
    func stripped() {
        #expect(SymbolTable(data: program(sectionKind: 3)) == nil)
        #expect(SymbolTable(data: Data("#!/bin/sh\n".utf8)) == nil)
        #expect(SymbolTable(file: URL(filePath: "/nowhere")) == nil)
    }

    @Test("a damaged file leads nowhere outside of it")
    func damaged() {
        let whole = program()
        #expect(SymbolTable(data: program(stringsAt: .max)) == nil)
        #expect(SymbolTable(data: program(link: 77)) == nil)
        for length in whole.indices { _ = SymbolTable(data: whole.prefix(length))?.names(beginningWith: ["$s"]) }
        for place in whole.indices {
            var damaged = whole
            damaged[place] = 0xFF
            _ = SymbolTable(data: damaged)?.names(beginningWith: ["$s"])
        }
    }
}
