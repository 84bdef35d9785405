/// A parser of audience expressions.
///
/// ```
/// expression = term *("or" term)
/// term       = factor *("and" factor)
/// factor     = "not" factor / "(" expression ")" / test
/// test       = name (":" / comparison) value
/// ```
package struct AudienceParser {
    /// The greatest depth of nested brackets and `not`; a deeper expression is a syntax error.
    package static let depthLimit = 32
    /// The greatest number of conditions (such as `tag:vip`) in one expression; an expression with more is a syntax error.
    package static let testLimit = 100
    /// The greatest length of an expression, in bytes of UTF-8; a longer expression is a syntax error.
    package static let byteLimit = 4096

    private let tokens: [AudienceToken]
    private let end: Int
    private var next = 0
    private var depth = 0
    private var tests = 0

    /// Parses an expression.
    ///
    /// - Throws: ``AudienceSyntaxError`` at the first wrong character.
    package static func parse(_ text: String) throws(AudienceSyntaxError) -> AudienceExpression {
        guard text.utf8.count <= byteLimit else {
            throw AudienceSyntaxError(position: 1, reason: "it has \(text.utf8.count) bytes; it may have \(byteLimit)")
        }
        var parser = AudienceParser(tokens: try AudienceLexer.tokens(of: text), end: text.count + 1)
        let expression = try parser.expression()
        if let rest = parser.peek {
            throw AudienceSyntaxError(
                position: rest.position, reason: "\(rest.words) is not expected; join conditions with and, or")
        }
        return expression
    }

    /// Returns whether a character may stand unquoted in a value.
    static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_-./+@#%&'".contains(character)
    }

    private init(tokens: [AudienceToken], end: Int) { (self.tokens, self.end) = (tokens, end) }

    private var peek: AudienceToken? { next < tokens.count ? tokens[next] : nil }

    private mutating func take() -> AudienceToken? {
        defer { next += 1 }
        return peek
    }

    /// Consumes the next token if it is the given keyword, in upper or lower case.
    ///
    /// - Returns: whether the token was the keyword.
    private mutating func takes(_ word: String) -> Bool {
        guard case .word(let text, false, false)? = peek?.kind, text.lowercased() == word else { return false }
        next += 1
        return true
    }

    private mutating func expression() throws(AudienceSyntaxError) -> AudienceExpression {
        var parts = [try term()]
        while takes("or") { parts.append(try term()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func term() throws(AudienceSyntaxError) -> AudienceExpression {
        var parts = [try factor()]
        while takes("and") { parts.append(try factor()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func factor() throws(AudienceSyntaxError) -> AudienceExpression {
        let position = peek?.position ?? end
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw AudienceSyntaxError(position: position, reason: "it is nested deeper than \(Self.depthLimit)")
        }
        if takes("not") { return .not(try factor()) }
        guard case .open? = peek?.kind else { return .test(try test()) }
        next += 1
        let inner = try expression()
        guard case .close? = take()?.kind else {
            throw AudienceSyntaxError(position: position, reason: "the bracket is never closed")
        }
        return inner
    }

    private mutating func test() throws(AudienceSyntaxError) -> AudienceTest {
        tests += 1
        guard let name = take(), case .word(let text, false, false) = name.kind else {
            let found = tokens.indices.contains(next - 1) ? tokens[next - 1] : nil
            throw AudienceSyntaxError(
                position: found?.position ?? end,
                reason:
                    "\(found.map { "\($0.words) is not expected" } ?? "something is missing"); a condition is meant, such as tag:vip"
            )
        }
        guard tests <= Self.testLimit else {
            throw AudienceSyntaxError(position: name.position, reason: "it has more than \(Self.testLimit) conditions")
        }
        guard let field = AudienceField(rawValue: text.lowercased()) else {
            throw AudienceSyntaxError(position: name.position, reason: AudienceField.unknown(text))
        }
        guard let sign = take(), case .sign(let comparison) = sign.kind else {
            let found = tokens.indices.contains(next - 1) ? tokens[next - 1].position : end
            throw AudienceSyntaxError(position: found, reason: "after \(text) a sign is missing: \(field.example)")
        }
        guard let value = take(), case .word(let word, let isQuoted, let isPrefix) = value.kind else {
            let found = tokens.indices.contains(next - 1) ? tokens[next - 1].position : end
            throw AudienceSyntaxError(
                position: found, reason: "after \(text)\(comparison) a value is missing: \(field.example)")
        }
        let reader = AudienceValue(
            field: field, sign: sign, comparison: comparison, text: word, isQuoted: isQuoted, isPrefix: isPrefix,
            position: value.position)
        return try reader.test()
    }
}
