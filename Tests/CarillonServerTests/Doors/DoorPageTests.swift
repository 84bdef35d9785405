import Foundation
import Testing

@testable import CarillonServer

@Suite("docs/doors.md")
struct DoorPageTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/doors.md")

    @Test("has each member of each door with what becomes of it, and no other", arguments: Door.allCases)
    func tables(_ door: Door) throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let heading = ["gorush": "## gorush", "onesignal": "## OneSignal"][door.rawValue] ?? door.rawValue
        let part = try #require(page.components(separatedBy: heading).dropFirst().first)
        let section = part.components(separatedBy: "\n## ").first ?? part
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let wanted = door.members.map { "| `\($0.name)` | \($0.treatment.rawValue) | \($0.note) |" }
        #expect(rows == wanted, "the rows must be:\n\(wanted.joined(separator: "\n"))")
    }
}
