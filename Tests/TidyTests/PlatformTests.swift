import Foundation
import Testing

/// The versions of iOS that the SDK's sources need are those that its package declares.
@Suite("API by iOS version") struct PlatformTests {
    /// The API newer than iOS 14 that an SDK for notifications may want, by its name in code, with Apple's "introduced".
    private static let introduced: [String: Int] = [
        "Mutex": 18, "Atomic": 18, "Observation": 17, "sensoryFeedback": 17, "registerForTraitChanges": 17,
        "setBadgeCount": 16, "Duration": 16, "ContinuousClock": 16, "Regex": 16, "OSAllocatedUnfairLock": 16,
        "effectiveGeometry": 16, "interruptionLevel": 15, "relevanceScore": 15, "timeSensitive": 15,
        "isScheduledDeliveryEnabled": 15, "keyboardLayoutGuide": 15, "UIHostingConfiguration": 16, "filePath": 16,
        "glassEffect": 26, "UIGlassEffect": 26,
    ]

    private struct Use: Hashable {
        let name: String
        let version: Int
    }

    /// Returns the listed API that the SDK's sources name outside comments.
    private func used() throws -> Set<Use> {
        var words: Set<String> = []
        for file in try SourceTree.swiftFiles(
            under: "Sources/CarillonApp", "Sources/CarillonBanner", "Sources/CarillonCore", "Sources/CarillonExtension",
            "Sources/CarillonMessaging", "Sources/CarillonUserInfo",
            "Examples/Chime")
        {
            var isForLinux = false
            for (_, line) in file.codeLines {
                let condition = line.trimmingCharacters(in: .whitespaces)
                if condition.hasPrefix("#") { isForLinux = condition == "#if os(Linux)" }
                if isForLinux { continue }
                words.formUnion(line.components(separatedBy: "//")[0].split { !$0.isLetter }.map(String.init))
            }
        }
        return Set(Self.introduced.filter { words.contains($0.key) }.map { Use(name: $0.key, version: $0.value) })
    }

    private func declared(in manifest: String) throws -> Int {
        let text = try String(contentsOf: SourceTree.root.appending(path: manifest), encoding: .utf8)
        let version = try #require(text.firstMatch(of: /\.iOS\(\.v(\d+)\)/)?.1)
        return try #require(Int(version))
    }

    private func table() throws -> Set<Use> {
        let text = try String(contentsOf: SourceTree.root.appending(path: "docs/xcode.md"), encoding: .utf8)
        return Set(
            text.matches(of: /\n\| `([^`]+)` \| (\d+) \|/).compactMap { match in
                Int(match.2).map { Use(name: String(match.1), version: $0) }
            })
    }

    @Test("the package and its example declare the same iOS, the oldest that has all that the sources use")
    func declared() throws {
        let needed = try #require(try used().map(\.version).max())
        for manifest in ["Package.swift", "Examples/Chime/Package.swift"] {
            #expect(try declared(in: manifest) == needed, "\(manifest)")
        }
    }

    @Test("docs/xcode.md lists what the sources use, and nothing else")
    func listed() throws {
        let (used, table) = (try used(), try table())
        #expect(used.subtracting(table).isEmpty, "used, and not in the table")
        #expect(table.subtracting(used).isEmpty, "in the table, and not used, or of another version")
    }
}
