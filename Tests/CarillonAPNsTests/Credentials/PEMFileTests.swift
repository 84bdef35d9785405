import Crypto
import Foundation
import Testing

@testable import CarillonAPNs

@Suite("PEM files as editors and variables change them")
struct PEMFileTests {
    private let pem = P256.Signing.PrivateKey().pemRepresentation

    private func reads(_ text: String) throws {
        _ = try APNsSigningKey(pem: text, keyID: "ABCDE12345", teamID: "TEAM123456")
    }

    @Test("line ends that were escaped once, twice or three times are line ends", arguments: 1...3)
    func escapes(times: Int) throws {
        let backslashes = String(repeating: "\\", count: 1 << (times - 1))
        try reads(pem.replacing("\n", with: "\(backslashes)n"))
        try reads(pem.replacing("\n", with: "\(backslashes)r\(backslashes)n"))
        try reads("\"\(pem.replacing("\n", with: "\(backslashes)n"))\"")
    }

    @Test("a file in UTF-16, with and without a byte order mark, or in UTF-8 with one, is read")
    func encodings() throws {
        let files = [
            Data(pem.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(pem.utf8), pem.data(using: .utf16LittleEndian),
            pem.data(using: .utf16BigEndian), pem.data(using: .utf16LittleEndian).map { Data([0xFF, 0xFE]) + $0 },
            pem.data(using: .utf16BigEndian).map { Data([0xFE, 0xFF]) + $0 },
            pem.replacing("\n", with: "\r\n").data(using: .utf16),
        ]
        for file in files { try reads(String(pemFile: try #require(file))) }
    }

    @Test("other bytes stay what they are", arguments: [[], [0x30], [0x30, 0x82, 0x01, 0x00], [0, 0, 0, 0], [0xFF]])
    func others(bytes: [UInt8]) {
        #expect(!String(pemFile: Data(bytes)).contains("-----BEGIN"))
    }
}
