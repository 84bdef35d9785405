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
        let lists = Self.namedLists(in: code)
        targets = [(".target(", false), (".executableTarget(", false), (".testTarget(", true)].flatMap { call, isTest in
            Self.arguments(of: call, in: code).compactMap { Self.target($0, isTest: isTest, lists: lists) }
        }
    }

    private static func target(_ arguments: String, isTest: Bool, lists: [String: String]) -> Target? {
        guard let name = string("name", in: arguments) else { return nil }
        var dependencies = section("dependencies: ", in: arguments)
        for (list, contents) in lists where dependencies.contains(list) { dependencies += contents }
        var products: [String: String] = [:]
        for product in Self.arguments(of: ".product(", in: dependencies) {
            guard let name = string("name", in: product), let package = string("package", in: product) else { continue }
            products[name] = package
            dependencies = dependencies.replacing(product, with: "")
        }
        let folder = string("path", in: arguments) ?? "\(isTest ? "Tests" : "Sources")/\(name)"
        return Target(
            name: name, isTest: isTest, folder: folder, targets: Set(strings(in: dependencies)), products: products)
    }

    /// Returns the named lists of dependencies as they are on Linux, which is the first of two.
    private static func namedLists(in code: String) -> [String: String] {
        var lists: [String: String] = [:]
        for rest in code.components(separatedBy: ": [Target.Dependency] = ").indices.dropFirst() {
            let parts = code.components(separatedBy: ": [Target.Dependency] = ")
            guard let name = parts[rest - 1].components(separatedBy: "let ").last, lists[name] == nil else { continue }
            lists[name] = balanced(String(parts[rest].drop { $0 != "[" }), open: "[", close: "]")
        }
        return lists
    }

    private static func arguments(of call: String, in code: String) -> [String] {
        code.components(separatedBy: call).dropFirst().map { balanced("(" + $0, open: "(", close: ")") }
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
    private static func balanced(_ text: String, open: Character, close: Character) -> String {
        var depth = 0
        for index in text.indices {
            if text[index] == open { depth += 1 }
            if text[index] == close { depth -= 1 }
            if depth == 0 { return String(text[...index]) }
        }
        return text
    }
}
