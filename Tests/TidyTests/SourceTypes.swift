import Foundation

/// Measures the sizes of the sources' types, and finds the folders that name each other's types.
enum SourceTypes {
    /// Returns the number of lines of code of each type in a file, over its extensions there, by the type's name.
    ///
    /// A type inside another, as `Carillon.Message`, counts for itself and not for the other.
    static func codeLines(of file: SourceTree.File) -> [String: Int] {
        var counts: [String: Int] = [:]
        var (outer, inner): (String?, String?) = (nil, nil)
        for (_, line) in file.codeLines where !line.allSatisfy(\.isWhitespace) {
            if let name = declaration(in: line) { outer = name }
            if inner == nil, let outer, line.hasPrefix("    "), let name = declaration(in: line.dropFirst(4)) {
                inner = "\(outer).\(name)"
            }
            if let current = inner ?? outer { counts[current, default: 0] += 1 }
            let isWhole = line.count { $0 == "{" } == line.count { $0 == "}" } && line.contains("{")
            if line.hasPrefix("    }") || inner != nil && isWhole && declaration(in: line.dropFirst(4)) != nil {
                inner = nil
            }
            if line.hasPrefix("}") { outer = nil }
        }
        return counts
    }

    /// The folders of a target that name types declared in another of its folders.
    struct Edges {
        fileprivate var names: [String: [String: Set<String>]] = [:]

        /// The pairs of folders that name each other's types, with the fewer of both sides' types.
        var twoWay: [String] {
            names.keys.sorted().flatMap { first in
                (names[first] ?? [:]).keys.sorted().filter { $0 > first }.compactMap { second -> String? in
                    guard let there = names[first]?[second], let back = names[second]?[first] else { return nil }
                    let (from, to, types) =
                        there.count < back.count ? (first, second, there) : (second, first, back)
                    return "\(from) → \(to) and back, for \(types.sorted().joined(separator: ", "))"
                }
            }
        }
    }

    static func edges(between root: String) throws -> Edges {
        let files = try SourceTree.swiftFiles(under: root)
        func folder(_ file: SourceTree.File) -> String {
            let parts = file.path.dropFirst(root.count + 1).split(separator: "/")
            return parts.count > 1 ? String(parts[0]) : "the top"
        }
        var homes: [String: String] = [:]
        for file in files {
            for (_, line) in file.codeLines where !line.hasPrefix("extension") {
                if let name = declaredName(line) { homes[name] = folder(file) }
            }
        }
        var edges = Edges()
        for file in files {
            let here = folder(file)
            for word in words(of: file) {
                guard let there = homes[word], there != here else { continue }
                edges.names[here, default: [:]][there, default: []].insert(word)
            }
        }
        return edges
    }

    /// Returns the words in a file's code, without comments; of strings only the interpolations.
    private static func words(of file: SourceTree.File) -> Set<String> {
        var (words, isInside): (Set<String>, Bool) = ([], false)
        for (_, line) in file.codeLines {
            let quotes = line.components(separatedBy: "\"\"\"").count - 1
            let isText = isInside && quotes == 0
            if quotes % 2 == 1 { isInside.toggle() }
            let parts = code(in: line, isText: isText).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            for word in parts where word.first?.isUppercase == true { words.insert(String(word)) }
        }
        return words
    }

    private static func code(in line: String, isText: Bool) -> String {
        func interpolated(_ text: Substring) -> String {
            text.matches(of: /\\#?\(([^)]*)/).map { String($0.1) }.joined(separator: " ")
        }
        if isText { return line.contains("\\") ? interpolated(line[...]) : "" }
        guard line.contains("\"") else { return line }
        return line.replacing(/"(?:[^"\\]|\\.)*"/) { interpolated($0.0) }
    }

    /// Returns the last name of the type that a line declares or extends at the top level of a file.
    private static func declaredName(_ line: String) -> String? {
        declaration(in: line[...]).flatMap { $0.split(separator: ".").last.map(String.init) }
    }

    private static func declaration(in line: String) -> String? { declaration(in: line[...]) }

    /// Returns the type that a line declares or extends, if the line begins with it.
    private static func declaration(in line: Substring) -> String? {
        guard let first = line.first, first.isLetter || first == "@" else { return nil }
        let pattern =
            /^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|open|final|indirect|nonisolated|private|fileprivate) )*(?:struct|class|enum|actor|protocol|extension|typealias) ([A-Z_][\w.]*)/
        return line.prefixMatch(of: pattern).map { String($0.1) }
    }
}
