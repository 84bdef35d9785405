import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Audience expressions")
struct AudienceParserTests {
    private static let now = Timestamp(millisecondsSince1970: 1_000_000_000_000)

    private func candidate(
        _ facts: DeviceFacts = DeviceFacts(permission: .authorized), environment: String = "production",
        daysAgo: Int64 = 0
    ) -> AudienceCandidate {
        AudienceCandidate(
            facts: facts, environment: environment,
            seen: Self.now - .seconds(daysAgo * 86_400))
    }

    private func holds(_ text: String, _ candidate: AudienceCandidate) throws -> Bool {
        try AudienceParser.parse(text).includes(candidate, at: Self.now)
    }

    @Test(
        "a condition is narrowed by tags that all have, and what else it asks is left",
        arguments: [
            ("tag:a", "a", ""), ("tag:a and locale:de", "a", "locale:de"), ("locale:de and tag:a", "a", "locale:de"),
            ("tag:a and tag:b", "a", "tag:b"), ("tag:a or tag:b", "a b", ""),
            ("(tag:a or tag:b) and not tag:c", "a b", "not tag:c"),
            ("tag:a and locale:de or tag:b", "a b", "tag:a and locale:de or tag:b"),
            ("not (tag:a)", nil, ""), ("tag:a*", nil, ""), ("tag:a or locale:de", nil, ""), ("locale:de", nil, ""),
        ] as [(String, String?, String)])
    func narrowing(_ text: String, _ tags: String?, _ rest: String) throws {
        let narrowing = try AudienceParser.parse(text).narrowing
        #expect(narrowing?.tags.joined(separator: " ") == tags)
        #expect(narrowing?.rest?.description ?? "" == rest)
    }

    @Test("and binds tighter than or, not tighter than both, and brackets say otherwise")
    func precedence() throws {
        func tagged(_ tags: String...) -> AudienceCandidate {
            candidate(DeviceFacts(permission: .authorized, tags: tags))
        }
        #expect(try holds("tag:a or tag:b and tag:c", tagged("a")))
        #expect(try !holds("(tag:a or tag:b) and tag:c", tagged("a")))
        #expect(try holds("not tag:a and tag:b", tagged("b")))
        #expect(try !holds("not (tag:a or tag:b)", tagged("b")))
        #expect(try holds("NOT tag:a AND tag:b", tagged("b")), "words of either case")
        #expect(try holds("not not tag:a", tagged("a")))
    }

    @Test(
        "each fact is compared as people mean it",
        arguments: [
            ("tag:vip", true), ("tag:v*", true), ("tag:V*", false), ("tag:\"very important\"", true), ("tag:vi", false),
            ("locale:pt-br", true), ("locale:pt_BR", true), ("locale:pt*", true), ("locale:pt", false),
            ("time_zone:America/*", true), ("time_zone:America/Sao_Paulo", true),
            ("version>2.9", true), ("version=2.10.0", true), ("version:2.10", true), ("version<2.10", false),
            ("version!=2.10", false), ("version>=3", false),
            ("environment:sandbox", true), ("permission:authorized", true), ("permission:denied", false),
            ("seen<30d", true), ("seen>2w", true), ("seen<12h", false), ("seen>=20d", true),
            ("tag:*", true), ("not tag:*", false),
        ])
    func facts(text: String, expected: Bool) throws {
        let facts = DeviceFacts(
            permission: .authorized, locale: "pt_BR", timeZone: "America/Sao_Paulo", appVersion: "2.10",
            tags: ["vip", "very important"])
        #expect(try holds(text, candidate(facts, environment: "sandbox", daysAgo: 20)) == expected)
    }

    @Test("what is not known fulfils no condition, and so every not")
    func unknown() throws {
        for text in ["tag:*", "locale:*", "time_zone:*", "version>=0"] {
            #expect(try !holds(text, candidate()))
            #expect(try holds("not \(text)", candidate()))
        }
        #expect(try !holds("version>=0", candidate(DeviceFacts(permission: .authorized, appVersion: "beta"))))
    }

    @Test(
        "an error names the character, what is wrong there, and the nearest word",
        arguments: [
            ("", 1, "something is missing"), ("   ", 4, "something is missing"), ("tagg:vip", 1, "did you mean tag?"),
            ("tag:vip and lang:de", 13, "\"lang\" is not known here"), ("tag:vip or", 11, "something is missing"),
            ("tag:vip tag:b", 9, "join conditions with and, or"), ("(tag:vip", 1, "the bracket is never closed"),
            ("tag:vip)", 8, "\")\" is not expected"), ("tag:\"vip", 5, "the quotation mark is never closed"),
            ("tag", 4, "a sign is missing"), ("tag:", 5, "a value is missing"), ("tag>vip", 4, "has no order"),
            ("seen=30d", 5, "compared with < or >"), ("seen<30x", 6, "is no age"), ("seen<-1d", 6, "is no age"),
            ("version>new", 9, "is no version"), ("environment:sandbx", 13, "did you mean sandbox?"),
            ("tag:vip; drop", 8, "has no meaning here"), ("tag=<vip", 4, "is no comparison"),
            ("ключ:да", 1, "is not known here"), ("tag:\"\"", 5, "is empty"), ("()", 2, "\")\" is not expected"),
            ("seen<99999999999999999999d", 6, "is no age"), ("and", 1, "is not known here"),
        ])
    func errors(text: String, position: Int, words: String) {
        do throws(AudienceSyntaxError) {
            _ = try AudienceParser.parse(text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.position == position && error.reason.contains(words), "\(error)")
        }
    }

    @Test("depth, length and number of conditions are bounded, whatever comes")
    func bounds() throws {
        let deep = String(repeating: "(", count: 33) + "tag:a" + String(repeating: ")", count: 33)
        #expect(throws: AudienceSyntaxError.self) { try AudienceParser.parse(deep) }
        #expect(throws: AudienceSyntaxError.self) {
            try AudienceParser.parse(String(repeating: "not ", count: 1000) + "tag:a")
        }
        let many = Array(repeating: "tag:a", count: 101).joined(separator: " or ")
        #expect(throws: AudienceSyntaxError.self) { try AudienceParser.parse(many) }
        #expect(throws: AudienceSyntaxError.self) {
            try AudienceParser.parse("tag:" + String(repeating: "a", count: 5000))
        }
    }

    @Test("what an expression says of itself is read as the same expression")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let expression = Self.expression(depth: 4, using: &generator)
            #expect(try AudienceParser.parse(expression.description) == expression, "\(expression)")
        }
    }

    static func expression(depth: Int, using generator: inout SeededGenerator) -> AudienceExpression {
        let kind = depth == 0 ? 9 : Int.random(in: 0..<10, using: &generator)
        let parts = { (generator: inout SeededGenerator) in
            (0..<Int.random(in: 2...3, using: &generator)).map { _ in
                expression(depth: depth - 1, using: &generator)
            }
        }
        switch kind {
        case 0..<2: return .all(parts(&generator))
        case 2..<4: return .any(parts(&generator))
        case 4: return .not(expression(depth: depth - 1, using: &generator))
        default: return .test(test(using: &generator))
        }
    }

    static func test(using generator: inout SeededGenerator) -> AudienceTest {
        let texts = ["vip", "a b", "and", "x\"y", "back\\slash", "ünï", "(", "de-at", ""]
        let isPrefix = Bool.random(using: &generator)
        let text = texts[Int.random(in: 0..<texts.count - (isPrefix ? 0 : 1), using: &generator)]
        let pattern = TextPattern(text: text, isPrefix: isPrefix)
        let comparisons: [AudienceTest.Comparison] = [.less, .atMost, .atLeast, .more]
        let comparison = comparisons[Int.random(in: 0..<4, using: &generator)]
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return .tag(pattern)
        case 1: return .locale(TextPattern(text: AudienceTest.locale(text), isPrefix: isPrefix))
        case 2: return .timeZone(pattern)
        case 3: return .version(comparison, AppVersion(parts: [3, UInt64.random(in: 0..<99, using: &generator), 1]))
        case 4: return .environment("sandbox")
        case 5: return .permission("denied")
        default:
            return .seen(comparison, AudienceTest.Age(count: Int64.random(in: 0..<400, using: &generator), unit: "d"))
        }
    }
}
