import Foundation

/// The targets in Package.swift, read from its text: their names, folders and dependencies.
///
/// The text is read instead of calling `swift package describe`, which would wait for the very test run that calls it.
struct PackageManifest {
    struct Target {
        let name: String
        let isTest: Bool
        /// The folder of the target's sources.
        let folder: String
        /// The targets of this package that it depends on.
        let targets: Set<String>
        /// The modules of other packages that it depends on, each with its package.
        let products: [String: String]
    }

    let targets: [Target]

    /// - Throws: an error when Package.swift cannot be read.
    static func read() throws -> PackageManifest {
        let url = SourceTree.root.appending(path: "Package.swift")
        return PackageManifest(try String(contentsOf: url, encoding: .utf8))
    }

    init(_ text: String) {
        let code = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
        targets = [(".target(", false), (".executableTarget(", false), (".testTarget(", true)].flatMap { call, isTest in
            Self.arguments(of: call, in: code).compactMap { Self.target($0, isTest: isTest) }
        }
    }

    private static func target(_ arguments: String, isTest: Bool) -> Target? {
        guard let name = string("name", in: arguments) else { return nil }
        var dependencies = section("dependencies: ", in: arguments)
        var products: [String: String] = [:]
        for entry in dependencies.matches(of: /"([\w.-]+)": \[([^\]]*)\]/) {
            for name in strings(in: String(entry.2)) { products[name] = String(entry.1) }
            dependencies = dependencies.replacing(entry.0, with: "")
        }
        let folder = string("path", in: arguments) ?? "\(isTest ? "Tests" : "Sources")/\(name)"
        return Target(
            name: name, isTest: isTest, folder: folder, targets: Set(strings(in: dependencies)), products: products)
    }

    private static func arguments(of call: String, in code: String) -> [String] {
        code.components(separatedBy: call).dropFirst().map { balanced("(" + $0) }
    }

    /// Returns the list after a label, with its additions.
    private static func section(_ label: String, in arguments: String) -> String {
        guard let rest = arguments.components(separatedBy: label).dropFirst().first else { return "" }
        let end = ["path:", "swiftSettings:", "resources:", "exclude:"].compactMap { rest.range(of: $0)?.lowerBound }
            .min()
        return String(rest[..<(end ?? rest.endIndex)])
    }

    private static func string(_ label: String, in arguments: String) -> String? {
        guard let range = arguments.range(of: "\(label): \"") else { return nil }
        return String(arguments[range.upperBound...].prefix { $0 != "\"" })
    }

    private static func strings(in text: String) -> [String] {
        text.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    /// Returns the text up to the bracket that closes the first one.
    private static func balanced(_ text: String) -> String {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return String(text[...index]) }
        }
        return text
    }
}
