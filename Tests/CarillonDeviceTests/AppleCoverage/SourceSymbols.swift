import Foundation

/// The public symbols of a module, read from its sources line by line: types, their members by base name, and what each
/// type says about how it differs from iOS.
struct SourceSymbols {
    /// Members by type; global symbols stand under the empty name.
    private(set) var members: [String: Set<String>] = [:]
    private(set) var differences: [String: [String]] = [:]

    init(folder: URL) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var paths: [URL] = []
        while let file = files?.nextObject() as? URL { if file.pathExtension == "swift" { paths.append(file) } }
        for path in paths.sorted(by: { $0.path < $1.path }) {
            read(try String(contentsOf: path, encoding: .utf8))
        }
    }

    /// The members that nearly every class has, and that the ledger therefore leaves out.
    private static let everywhere: Set<String> = ["encode", "hash", "isEqual", "description", "supportsSecureCoding"]

    private struct Scope {
        let type: String
        let depth: Int
        let isProtocol: Bool
        let isPublicEnum: Bool
        /// Members of this scope are not Apple's.
        let isHidden: Bool
    }

    private mutating func read(_ text: String) {
        var scopes: [Scope] = []
        var depth = 0
        var comment: [String] = []
        for line in text.components(separatedBy: "\n") {
            let bare = line.range(of: "  // ").map { line[..<$0.lowerBound] } ?? line[...]
            let code = bare.trimmingCharacters(in: .whitespaces)
            // An attribute that only newer compilers know, or a version, stands between a comment and what it is about.
            if code.hasPrefix("#") || code.hasPrefix("@available(iOS") { continue }
            if code.hasPrefix("///") {
                comment.append(code.dropFirst(3).trimmingCharacters(in: .whitespaces))
                continue
            }
            if !code.hasPrefix("//") {
                note(code, &scopes, depth, comment)
                depth += Self.braces(code)
                while let scope = scopes.last, depth <= scope.depth { scopes.removeLast() }
            }
            if !code.hasPrefix("@") || code.contains(" ") { comment = [] }
        }
    }

    private mutating func note(_ code: String, _ scopes: inout [Scope], _ depth: Int, _ comment: [String]) {
        guard scopes.last.map({ depth == $0.depth + 1 }) ?? (depth == 0) else { return }
        let isSPI = code.contains("@_spi(") || (scopes.last?.isHidden ?? false)
        let words = code.split(separator: " ").map(String.init)
        let isPublic = words.contains { ["public", "open"].contains($0) } || (scopes.last?.isProtocol ?? false)
        if let (keyword, name) = Self.typeDeclaration(words) {
            let full = keyword == "extension" ? name : (scopes.last.map { "\($0.type)." } ?? "") + name
            let isKnown = keyword == "extension" ? !isSPI : isPublic && !isSPI
            if isKnown, keyword != "extension" { members[full, default: []].formUnion([]) }
            if isKnown { differ(full, comment) }
            if code.hasSuffix("{") {
                scopes.append(
                    Scope(
                        type: full, depth: depth, isProtocol: keyword == "protocol" && isPublic,
                        isPublicEnum: keyword == "enum" && isPublic, isHidden: !isKnown))
            }
            return
        }
        guard !isSPI, let owner = scopes.last.map(\.type) ?? "" as String? else { return }
        if scopes.last?.isPublicEnum == true, words.first == "case", words.count > 1 {
            members[owner, default: []].insert(Self.baseName(words[1]))
        } else if isPublic, let name = Self.memberName(words), !Self.everywhere.contains(name) {
            members[owner, default: []].insert(name)
            differ(owner.isEmpty ? name : owner, comment)
        }
    }

    private mutating func differ(_ type: String, _ comment: [String]) {
        guard let start = comment.firstIndex(where: { $0.hasPrefix("Differs from iOS:") }) else { return }
        let sentence = comment[start...].prefix { !$0.isEmpty && !$0.hasPrefix("- ") }.joined(separator: " ")
        differences[type, default: []].append(
            sentence.replacingOccurrences(of: "Differs from iOS: ", with: "")
                .replacingOccurrences(of: "``", with: "`").replacingOccurrences(of: "|", with: "\\|"))
    }

    private static func typeDeclaration(_ words: [String]) -> (String, String)? {
        guard
            let index = words.firstIndex(where: { ["class", "struct", "enum", "protocol", "extension"].contains($0) }),
            words.indices.contains(index + 1), !["func", "var", "let"].contains(words[index + 1]),
            !words[..<index].contains(where: { ["func", "var", "let", "init"].contains($0) })
        else { return nil }
        return (words[index], baseName(words[index + 1]))
    }

    private static func memberName(_ words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if ["func", "var", "let", "typealias"].contains(word), words.indices.contains(index + 1) {
                return baseName(words[index + 1])
            }
            if word.hasPrefix("init") { return "init" }
        }
        return nil
    }

    /// The name without what follows it: `add(_` is `add`, `badge:` is `badge`; operators stay as they are.
    private static func baseName(_ word: String) -> String {
        let plain = word.replacingOccurrences(of: "`", with: "")
        let name = plain.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return name.isEmpty ? String(plain.prefix { !"(<".contains($0) || plain.first == $0 }) : String(name)
    }

    private static func braces(_ code: String) -> Int {
        var isInText = false
        return code.reduce(into: 0) { depth, character in
            switch character {
            case "\"": isInText.toggle()
            case "{" where !isInText: depth += 1
            case "}" where !isInText: depth -= 1
            default: break
            }
        }
    }
}
