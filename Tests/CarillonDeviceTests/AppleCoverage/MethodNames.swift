import Foundation

/// The methods of a protocol by their whole names, `scene(_:openURLContexts:)`, read from its source.
struct MethodNames {
    private(set) var names: Set<String> = []

    init(protocol name: String, in source: String) {
        guard let start = source.range(of: "protocol \(name):")?.upperBound else { return }
        let body = source[start...].prefix { _ in true }
        let end = body.range(of: "\n}")?.lowerBound ?? body.endIndex
        for part in body[..<end].components(separatedBy: "func ").dropFirst() {
            guard let open = part.firstIndex(of: "(") else { continue }
            let labels = Self.parameters(part[part.index(after: open)...]).map { parameter in
                parameter.split(whereSeparator: { $0 == " " || $0 == ":" }).first.map(String.init) ?? "_"
            }
            names.insert("\(part[..<open])(\(labels.map { "\($0):" }.joined()))")
        }
    }

    /// Returns a method's parameters: the texts between the commas, up to the closing parenthesis.
    private static func parameters(_ text: Substring) -> [String] {
        var found = [""]
        var depth = 0
        for character in text {
            if character == ")", depth == 0 { break }
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { found.append("") } else { found[found.count - 1].append(character) }
        }
        return found.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }
}
