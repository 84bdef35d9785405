import Foundation
import Testing

/// Package.swift, the sources and docs/architecture.md agree on the dependencies between targets.
@Suite("Arrows between targets")
struct ArrowTests {
    /// The modules that come with Swift or the system.
    private static let system: Set<String> = [
        "Foundation", "FoundationNetworking", "Dispatch", "Glibc", "Synchronization", "Testing",
        "CoreFoundation", "Darwin", "os",
    ]

    /// The modules that no package offers as a product: NIOSSL's copy of BoringSSL, for files that NIOSSL cannot inspect.
    private static let withoutProduct = ["CNIOBoringSSL": "NIOSSL"]

    /// The empty modules that a target may import by way of AppleNames.modulemap; importing one counts as importing
    /// AppleNames.
    private static let appleNames: Set<String> = [
        "CommonCrypto", "CryptoKit", "CoreGraphics", "QuartzCore", "Security", "SQLite3", "WidgetKit",
    ]

    @Test("a file imports only what its target declares in Package.swift")
    func imports() throws {
        let manifest = try PackageManifest.read()
        try #require(manifest.targets.count > 20)
        var findings: [String] = []
        for target in manifest.targets where SourceTree.exists(target.folder) {
            let names = target.targets.contains("AppleNames") ? Self.appleNames : []
            let allowed = target.targets.union(target.products.keys).union(Self.system).union(names)
            for (path, module) in try Self.imports(of: target)
            where !allowed.contains(module) && !allowed.contains(Self.withoutProduct[module] ?? module) {
                findings.append("\(path): imports \(module), which \(target.name) does not depend on in Package.swift")
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    @Test("a target declares only what one of its files imports")
    func unused() throws {
        var findings: [String] = []
        for target in try PackageManifest.read().targets where SourceTree.exists(target.folder) {
            var imported = Set(try Self.imports(of: target).map(\.module))
            if !imported.isDisjoint(with: Self.appleNames) { imported.insert("AppleNames") }
            for name in target.targets.union(target.products.keys).subtracting(imported).sorted()
            where !Self.isOverlay(name) {
                findings.append("\(target.name) depends on \(name) in Package.swift and imports it nowhere")
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    @Test("docs/architecture.md has every target with exactly its arrows")
    func table() throws {
        let targets = try PackageManifest.read().targets.filter {
            $0.folder.hasPrefix("Sources") || ($0.folder.hasPrefix("Examples") && !$0.folder.contains("/Tests/"))
        }
        let rows = try ArchitectureTable.read().rows
        #expect(Set(targets.map(\.name)) == Set(rows.map(\.target)))
        for row in rows {
            guard let target = targets.first(where: { $0.name == row.target }) else { continue }
            #expect(row.targets == target.targets, "\(row.target): what it depends on of ours")
            #expect(row.packages == Set(target.products.values), "\(row.target): its packages")
        }
    }

    /// Returns whether Swift loads the module by its name when another one is imported.
    private static func isOverlay(_ name: String) -> Bool { name.hasPrefix("_Testing_") }

    private static func imports(of target: PackageManifest.Target) throws -> [(path: String, module: String)] {
        try SourceTree.swiftFiles(under: target.folder).flatMap { file in
            file.codeLines.compactMap { number, line in
                module(importedBy: line).map { ("\(file.path):\(number)", $0) }
            }
        }
    }

    private static func module(importedBy line: String) -> String? {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard let index = words.firstIndex(of: "import"), words.prefix(index).allSatisfy(isPrefix) else { return nil }
        let path = words.dropFirst(index + 1).last.map(String.init) ?? ""
        return String(path.prefix { $0 != "." })
    }

    private static func isPrefix(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains(word)
    }
}
