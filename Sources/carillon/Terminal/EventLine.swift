import CarillonCore
import Foundation

/// An event in one line for a terminal, or in several lines if 80 columns are too few.
struct EventLine {
    private let event: JSONValue

    init(_ event: JSONValue) { self.event = event }

    /// Returns the line: the time of the day in UTC, the type, and what it is about.
    ///
    /// - Parameter isColoured: whether a failure is red, and what a person did green.
    /// - Returns: the text without a line break at its end.
    func text(_ isColoured: Bool) -> String {
        let type = (event["type"]?.stringValue ?? "").onOneLine
        let time = (event["at"]?.stringValue ?? "").split(separator: "T").last.map { String($0.prefix(8)) } ?? ""
        var lines = ["\(time.onOneLine) \(type)"]
        for word in words {
            let (last, space) = (lines.count - 1, lines.count == 1 && lines[0].count < Self.about ? Self.about : 0)
            let start = lines[last].padding(toLength: max(space, lines[last].count + 1), withPad: " ", startingAt: 0)
            if start.count + word.count <= Self.columns {
                lines[last] = start + word
            } else {
                lines.append(Self.indent + word)
            }
        }
        guard isColoured, let colour = Self.colour(of: type) else { return lines.joined(separator: "\n") }
        let first = lines[0].replacing(" \(type)", with: " \u{1b}[\(colour)m\(type)\u{1b}[0m", maxReplacements: 1)
        return ([first] + lines.dropFirst()).joined(separator: "\n")
    }

    private static let columns = 80
    /// The column at which the line says what the event is about: behind the longest usual type.
    private static let about = 28
    private static let indent = "         "

    /// The parts behind the type, each at most a line long.
    private var words: [String] {
        let subjects = [("message", ""), ("device", "on "), ("user", "of ")].compactMap { name, before in
            event[name]?.stringValue.map { "\(before)\($0.onOneLine)" }
        }
        let details = ["live_activity", "status", "reason", "detail", "reply"].compactMap { name -> String? in
            guard let value = event["details"]?[name] else { return nil }
            return value.stringValue ?? value.intValue.map(String.init)
        }
        let texts = details.flatMap { $0.onOneLine.split(separator: " ").map(String.init) }
        return (subjects + texts).flatMap(Self.pieces)
    }

    private static func pieces(of word: String) -> [String] {
        var (rest, pieces): (Substring, [String]) = (word[...], [])
        while !rest.isEmpty {
            pieces.append(String(rest.prefix(columns - indent.count)))
            rest = rest.dropFirst(columns - indent.count)
        }
        return pieces
    }

    private static func colour(of type: String) -> Int? {
        switch type {
        case "push.rejected", "push.unanswered", "device.gone", "device.quarantined", "live_activity.undecodable": 31
        case "message.opened", "message.acted", "message.shown", "message.dismissed": 32
        default: nil
        }
    }
}
