import CarillonServer

/// Figures as lines for a terminal of 80 columns.
enum FigureLines {
    /// A line of the table: its name and its numbers.
    struct Row {
        let name: String
        let numbers: [Int]
    }

    private static let columns = ["accepted", "failed", "received", "shown", "opened", "acted", "dismissed"]
    /// The greatest width of the first column, so that a line has at most 80 characters.
    private static let nameWidth = 80 - columns.count * 8 - 4
    private static let barWidth = 40

    static func row(_ name: String, _ figures: Figures) -> Row {
        Row(
            name: name,
            numbers: [
                figures.accepted, figures.failed, figures.received, figures.shown, figures.opened, figures.acted,
                figures.dismissed,
            ])
    }

    /// Returns a table with a line for each row, under the columns' names; a name that is too long has a line of its own.
    static func table(_ first: String, _ rows: [Row]) -> [String] {
        let names = [first] + rows.map(\.name)
        let width = min(names.map(\.count).max() ?? 0, nameWidth)
        let widths = columns.enumerated().map { index, column in
            max(column.count, rows.map { short($0.numbers[index]).count }.max() ?? 0) + 1
        }
        func line(_ name: String, _ cells: [String]) -> String {
            let start = name.count > width ? "\(name)\n\(spaces(width))" : name + spaces(width - name.count)
            return start + zip(cells, widths).map { spaces($1 - $0.count) + $0 }.joined()
        }
        return [line(first, columns)] + rows.map { line($0.name, $0.numbers.map(short)) }
    }

    /// Returns the failures by reason, the most frequent first, and the figures that belong to no message.
    static func failures(_ figures: Figures) -> [String] {
        var lines = figures.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "failed: \(short($0.value)) \($0.key)" }
        if figures.optOuts > 0 { lines.append("switched notifications off: \(short(figures.optOuts))") }
        if figures.unregistered > 0 { lines.append("tokens that became invalid: \(short(figures.unregistered))") }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// Returns the histogram of the times from APNs' acceptance to the display.
    static func times(_ figures: Figures) -> [String] {
        let bounds = figures.shownWithin.keys.compactMap { Int($0) }.sorted()
        var bars = bounds.map { (name: words($0), count: figures.shownWithin["\($0)"] ?? 0) }
        if let more = figures.shownWithin["more"] { bars.append(("later", more)) }
        guard let most = bars.map(\.count).max(), most > 0 else { return [] }
        let width = (bars.map(\.name.count).max() ?? 0) + 1
        return ["", "shown after APNs had accepted it"]
            + bars.map { bar in
                let length = max(1, bar.count * barWidth / most)
                let line = bar.name + spaces(width - bar.name.count) + String(repeating: "#", count: length)
                return "\(line) \(short(bar.count))"
            }
    }

    private static func words(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "within \(seconds) s"
        case ..<3600: "within \(seconds / 60) min"
        default: "within \(seconds / 3600) h"
        }
    }

    /// Returns a number in at most seven characters: whole below ten million, else in millions.
    private static func short(_ number: Int) -> String { number < 10_000_000 ? "\(number)" : "\(number / 1_000_000)M" }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
