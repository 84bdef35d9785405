/// The files of a page as a browser loads them: `index.html`, one script, one style sheet, and the pictures.
///
/// The source files are a working page too, but a browser needs dozens of requests to load them. So the bundle joins their
/// modules to one script and their style sheets to one sheet.
package struct PageBundle: Sendable {
    /// The bundle's files, with distinct names.
    package let files: [PageFile]

    /// Makes one script and one style sheet of a page's files.
    ///
    /// Modules and style sheets that `index.html` does not load, directly or through other modules, are left out.
    ///
    /// - Parameter sources: the page's files, including `index.html`. An import of a file that is not among them is a
    ///   programming error.
    package init(_ sources: [PageFile]) {
        let texts = Dictionary(
            uniqueKeysWithValues: sources.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
        var (page, styles, scripts) = ([Substring](), "", ScriptBundle(texts))
        for line in texts["index.html", default: ""].split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = line.wholeMatch(of: /\s*<link rel="stylesheet" href="([a-z-]+\.css)">/)?.1 {
                if styles.isEmpty { page.append("  <link rel=\"stylesheet\" href=\"page.css\">") }
                styles += texts[String(name), default: ""] + "\n"
            } else if let name = line.wholeMatch(of: /\s*<script type="module" src="([a-z-]+\.js)"><\/script>/)?.1 {
                page.append("  <script type=\"module\" src=\"page.js\"></script>")
                scripts.enter(String(name))
            } else {
                page.append(line)
            }
        }
        let others = sources.filter { file in ![".html", ".css", ".js"].contains { file.name.hasSuffix($0) } }
        files =
            [
                PageFile("index.html", [UInt8](page.joined(separator: "\n").utf8)),
                PageFile("page.css", [UInt8](styles.utf8)), PageFile("page.js", [UInt8](scripts.text.utf8)),
            ] + others
    }
}

/// One script made of modules, each after the modules that it imports.
///
/// A module becomes a function that is called at once and returns the module's exports. Imports and exports have the two
/// forms that the sources use: `import { a, b } from "./name.js";` on a line of its own, and `export` before a declaration.
private struct ScriptBundle {
    private let sources: [String: String]
    private var isAdded: Set<String> = []
    private(set) var text = ""

    init(_ sources: [String: String]) { self.sources = sources }

    /// Adds a module that no other module imports.
    ///
    /// The module's code stands at the top level of the bundle's script, where it may use `await`.
    mutating func enter(_ name: String) {
        let module = translated(name)
        text += "// \(name)\n{\n\(module.body)}\n"
    }

    private mutating func add(_ name: String) {
        guard isAdded.insert(name).inserted else { return }
        let module = translated(name)
        let exports = module.exports.joined(separator: ", ")
        text += "// \(name)\nconst \(Self.variable(name)) = (() => {\n\(module.body)return { \(exports) };\n})();\n"
    }

    /// Returns the module without imports and exports, and the names of its exports.
    ///
    /// The method first adds the modules that this module imports, so that their code precedes this module's code in the bundle's
    /// script.
    private mutating func translated(_ name: String) -> (body: String, exports: [String]) {
        guard let source = sources[name] else { preconditionFailure("the page has no file \(name)") }
        var (body, exports) = ("", [String]())
        for line in source.split(separator: "\n") {
            if line.hasPrefix("import "), let parts = line.wholeMatch(of: /import \{ (.+) \} from "\.\/([a-z-]+\.js)";/)
            {
                add(String(parts.2))
                body += "const { \(parts.1) } = \(Self.variable(String(parts.2)));\n"
            } else if line.hasPrefix("export "),
                let exported = line.prefixMatch(of: /export (?:async )?(?:function|const|class) (\w+)/)?.1
            {
                exports.append(String(exported))
                body += line.dropFirst("export ".count) + "\n"
            } else {
                body += line + "\n"
            }
        }
        return (body, exports)
    }

    /// The variable that holds a module's exports: `$note_list` for `note-list.js`.
    private static func variable(_ name: String) -> String {
        "$\(name.dropLast(".js".count).replacing("-", with: "_"))"
    }
}
