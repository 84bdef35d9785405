import Foundation

/// A method, parsed from its demangled symbol.
struct MethodSignature: Sendable, Hashable {
    /// The type or protocol to which the method belongs, with its module.
    let owner: String
    let baseName: String
    /// The argument labels; `_` for an argument without a label.
    let labels: [String]
    /// The parameter types without attributes such as `@Sendable`, which differ between language modes.
    let types: [String]
    let result: String
    var isAsync = false
    var isThrowing = false
    var isStatic = false
    var isPrivate = false

    /// The method's name as Apple's documentation writes it: `application(_:open:options:)`.
    var fullName: String { baseName + "(" + labels.map { $0 + ":" }.joined() + ")" }

    /// Returns whether a method with this signature implements a protocol's requirement.
    func satisfies(_ requirement: MethodSignature) -> Bool {
        fullName == requirement.fullName && types == requirement.types && result == requirement.result
            && isAsync == requirement.isAsync && (!isThrowing || requirement.isThrowing)
            && isStatic == requirement.isStatic && !isPrivate
    }
}

extension MethodSignature {
    /// Parses a demangled symbol; returns `nil` unless the symbol is a method of `owner`.
    ///
    /// - Parameters:
    ///   - demangled: the symbol, such as
    ///     `App.Delegate.application(_: UIKit.UIApplication, open: Foundation.URL) -> Swift.Bool`.
    ///   - owner: the class or protocol with whose name the symbol must begin.
    init?(demangled: String, owner: String) {
        var text = demangled[...]
        isStatic = text.hasPrefix("static ")
        if isStatic { text = text.dropFirst("static ".count) }
        // For an extension in another module, the symbol names that module first.
        if text.hasPrefix("(extension in "), let end = text.range(of: "):") { text = text[end.upperBound...] }
        guard text.hasPrefix(owner + ".") else { return nil }
        text = text.dropFirst(owner.count + 1)
        isPrivate = text.hasPrefix("(")
        guard let open = Self.parameterList(of: text, isPrivate), let close = Self.closing(of: text, from: open),
            let (result, effects) = Self.tail(text[text.index(after: close)...])
        else { return nil }
        let name = text[..<open]
        baseName = String(isPrivate ? name.dropFirst().prefix { $0 != " " } : name)
        guard baseName.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
        let parameters = Self.split(text[text.index(after: open)..<close]).map(Self.parameter)
        (labels, types) = (parameters.map(\.label), parameters.map(\.type))
        self.owner = owner
        self.result = result
        isAsync = effects.contains("async")
        isThrowing = effects.contains("throws")
    }

    /// Returns the position of the parenthesis that opens the parameter list; `nil` if there is none.
    ///
    /// In a private method's symbol, the method's name is in parentheses, too; these parentheses are skipped.
    private static func parameterList(of text: Substring, _ isPrivate: Bool) -> Substring.Index? {
        guard isPrivate else { return text.firstIndex(of: "(") }
        return closing(of: text, from: text.startIndex)
            .map { text.index(after: $0) }
            .flatMap { $0 < text.endIndex && text[$0] == "(" ? $0 : nil }
    }

    private static func closing(of text: Substring, from open: Substring.Index) -> Substring.Index? {
        var depth = 0
        for index in text[open...].indices {
            switch text[index] {
            case "(", "[", "<": depth += 1
            case ")", "]": depth -= 1
            // The `>` of an arrow closes no bracket.
            case ">" where text[text.index(before: index)] != "-": depth -= 1
            default: break
            }
            if depth == 0 { return index }
        }
        return nil
    }

    /// Parses the end of a method's symbol, such as ` async throws -> Swift.Bool`.
    ///
    /// - Returns: `result`, the result type, and `effects`, the words before the arrow, such as `async`; `nil` if there is no
    ///   arrow.
    private static func tail(_ text: Substring) -> (result: String, effects: [Substring])? {
        guard let arrow = text.range(of: "-> ") else { return nil }
        return (withoutAttributes(text[arrow.upperBound...]), text[..<arrow.lowerBound].split(separator: " "))
    }

    /// Splits a list of parameters at its commas, except for commas inside brackets.
    private static func split(_ list: Substring) -> [Substring] {
        var parts: [Substring] = []
        var rest = list
        while !rest.isEmpty {
            var index = rest.startIndex
            while index < rest.endIndex, rest[index] != "," {
                if "([<".contains(rest[index]) { index = closing(of: rest, from: index) ?? index }
                index = rest.index(after: index)
            }
            parts.append(rest[..<index])
            rest = index < rest.endIndex ? rest[index...].dropFirst(2) : rest[index...]
        }
        return parts
    }

    private static func parameter(_ text: Substring) -> (label: String, type: String) {
        let label = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard !label.isEmpty, text[label.endIndex...].hasPrefix(": ") else { return ("_", withoutAttributes(text)) }
        return (String(label), withoutAttributes(text[label.endIndex...].dropFirst(2)))
    }

    /// Removes attributes from a type before comparison: `@Sendable (A) -> ()` becomes `(A) -> ()`.
    private static func withoutAttributes(_ type: Substring) -> String {
        type.split(separator: " ").filter { word in
            !word.hasPrefix("@") && !["sending", "__owned", "__shared", "isolated"].contains(word)
        }.joined(separator: " ")
    }
}
