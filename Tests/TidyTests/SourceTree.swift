import Foundation

/// The Swift files of the repository, as text.
enum SourceTree {
    struct File {
        let path: String
        let text: String
        let lines: [String]
        /// The lines with their numbers from 1, without comments, which may name banned words.
        let codeLines: [(Int, String)]

        /// The number of lines with code: documentation does not make a file too large.
        var codeLineCount: Int { codeLines.count { !$0.1.allSatisfy(\.isWhitespace) } }
    }

    /// The repository's top folder, found from the path of this file.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func exists(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(folder).path)
    }

    static func swiftFiles(under folders: String...) throws -> [File] {
        var files: [File] = []
        for folder in folders {
            let base = root.appendingPathComponent(folder)
            let names = try FileManager.default.subpathsOfDirectory(atPath: base.path)
            for name in names.sorted() where name.hasSuffix(".swift") && !name.contains(".build/") {
                let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
                files.append(file(path: "\(folder)/\(name)", text: text))
            }
        }
        return files
    }

    /// Returns every text file, in any language.
    static func texts(under folder: String) throws -> [String] {
        let base = root.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: base.path)
            .filter { !$0.contains(".build/") }
            .compactMap { try? String(contentsOf: base.appendingPathComponent($0), encoding: .utf8) }
    }

    /// Returns every source and page that people read, in any language.
    static func textFiles() throws -> [File] {
        let kinds: Set<String> = ["swift", "md", "py", "js", "css", "html", "sh", "c", "go", "java", "json", "conf"]
        var files: [File] = []
        for folder in ["Sources", "Tests", "Examples", "Fuzz", "docs", "scripts", "Benchmarks", "Packaging"] {
            let base = root.appendingPathComponent(folder)
            for name in try FileManager.default.subpathsOfDirectory(atPath: base.path).sorted() {
                let url = base.appendingPathComponent(name)
                guard kinds.contains(url.pathExtension), !name.contains(".build/"), !name.contains("Seeds/") else {
                    continue
                }
                files.append(file(path: "\(folder)/\(name)", text: try String(contentsOf: url, encoding: .utf8)))
            }
        }
        for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "Package.swift"] {
            let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            files.append(file(path: name, text: text))
        }
        return files
    }

    private static func file(path: String, text: String) -> File {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let code = lines.enumerated().map { ($0.offset + 1, withoutComment($0.element)) }
        return File(path: path, text: text, lines: lines, codeLines: code)
    }

    private static func withoutComment(_ line: String) -> String {
        guard let range = line.range(of: "//") else { return line }
        // "https://" inside a string is not a comment.
        if range.lowerBound > line.startIndex, line[line.index(before: range.lowerBound)] == ":" { return line }
        return String(line[..<range.lowerBound])
    }
}
