import Foundation

/// The files of a web page by name, as the tests of a page read them.
package struct PageSource: Sendable {
    package let files: [String: Data]

    package init(_ files: [String: Data]) { self.files = files }

    /// - Parameter folder: the path from the repository's top folder.
    /// - Throws: an error when the folder or one of its files cannot be read.
    package init(folder: String) throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let url = root.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        files = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: url.appendingPathComponent($0))) })
    }

    package func text(of name: String) -> String { String(decoding: files[name] ?? Data(), as: UTF8.self) }

    /// The files that `index.html` loads, directly or indirectly, itself and missing files included.
    package var loadedNames: Set<String> {
        var loaded: Set<String> = []
        var waiting = ["index.html"]
        while let name = waiting.popLast() {
            if loaded.insert(name).inserted { waiting += references(of: name) }
        }
        return loaded
    }

    private func references(of name: String) -> [String] {
        let reference = /(?:from |import |src=|href=|src: |url\()"([A-Za-z.\/:-]+\.(?:js|css|svg))"/
        return text(of: name).matches(of: reference).map { String($0.1).replacing("./", with: "") }
    }

    /// The passages that a strict content security policy forbids, each with its file.
    package var forbiddenSource: [String] {
        let forbidden = ["style=\"", "innerHTML", "<script>", "onclick=", "eval(", "http://", "https://"]
        // The names of XML namespaces are allowed, since they are never loaded.
        let namespace = "http://www.w3.org/2000/svg"
        return files.keys.sorted().flatMap { name in
            let text = text(of: name).replacing(namespace, with: "")
            return forbidden.filter(text.contains).map { "\(name) has \($0)" }
        }
    }
}
