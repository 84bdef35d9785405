import Foundation

/// The tables of targets in docs/architecture.md.
struct ArchitectureTable {
    struct Row {
        let target: String
        let targets: Set<String>
        let packages: Set<String>
    }

    let rows: [Row]

    /// - Throws: an error when the page cannot be read.
    static func read() throws -> ArchitectureTable {
        let url = SourceTree.root.appending(path: "docs/architecture.md")
        return ArchitectureTable(try String(contentsOf: url, encoding: .utf8))
    }

    init(_ page: String) {
        let header = "| target | what | of ours | packages |"
        let tables = page.components(separatedBy: header).dropFirst().flatMap { rest in
            rest.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
        }
        rows = tables.compactMap { line in
            let cells = line.components(separatedBy: "|").dropFirst().dropLast()
            guard cells.count == 4, let name = cells.first, let packages = cells.last else { return nil }
            let names = { (cell: String) in
                cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            }
            guard let target = names(name).first else { return nil }
            return Row(
                target: target, targets: Set(names(cells[cells.startIndex + 2])), packages: Set(names(packages)))
        }
    }
}
