/// Splits the text of an audience's expression into tokens.
struct AudienceLexer {
    private let characters: [Character]
    private var next = 0

    private init(_ text: String) { characters = Array(text) }

    static func tokens(of text: String) throws(AudienceSyntaxError) -> [AudienceToken] {
        var lexer = AudienceLexer(text)
        var tokens: [AudienceToken] = []
        while let token = try lexer.token() { tokens.append(token) }
        return tokens
    }

    private mutating func token() throws(AudienceSyntaxError) -> AudienceToken? {
        while next < characters.count, characters[next].isWhitespace { next += 1 }
        guard next < characters.count else { return nil }
        let position = next + 1
        switch characters[next] {
        case "(": return one(.open)
        case ")": return one(.close)
        case ":", "<", ">", "=", "!": return AudienceToken(kind: .sign(try sign()), position: position)
        case "\"": return AudienceToken(kind: try quoted(), position: position)
        case "*",
            _ where AudienceParser.isPlain(characters[next]):
            let text = String(characters[next...].prefix(while: AudienceParser.isPlain))
            next += text.count
            return AudienceToken(kind: .word(text, isQuoted: false, isPrefix: asterisk()), position: position)
        default:
            throw AudienceSyntaxError(
                position: position,
                reason:
                    "\"\(characters[next])\" has no meaning here; put values with such characters in quotation marks")
        }
    }

    private mutating func one(_ kind: AudienceToken.Kind) -> AudienceToken {
        next += 1
        return AudienceToken(kind: kind, position: next)
    }

    private mutating func sign() throws(AudienceSyntaxError) -> String {
        let position = next + 1
        let text = String(characters[next...].prefix { "<>=!:".contains($0) })
        next += text.count
        guard text == ":" || AudienceTest.Comparison(rawValue: text) != nil else {
            throw AudienceSyntaxError(
                position: position, reason: "\"\(text.prefix(8))\" is no comparison; there are : < <= = != >= >")
        }
        return text
    }

    private mutating func quoted() throws(AudienceSyntaxError) -> AudienceToken.Kind {
        let position = next + 1
        var text = ""
        next += 1
        while next < characters.count, characters[next] != "\"" {
            if characters[next] == "\\", next + 1 < characters.count { next += 1 }
            text.append(characters[next])
            next += 1
        }
        guard next < characters.count else {
            throw AudienceSyntaxError(position: position, reason: "the quotation mark is never closed")
        }
        next += 1
        return .word(text, isQuoted: true, isPrefix: asterisk())
    }

    private mutating func asterisk() -> Bool {
        guard next < characters.count, characters[next] == "*" else { return false }
        next += 1
        return true
    }
}
