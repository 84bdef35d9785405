import CarillonCore
import CarillonUserInfo
import Foundation
import Testing

@Suite("Our JSON reader and Foundation's say the same")
struct JSONReaderTests {
    /// Parses with Foundation; `nil` if it refuses the bytes.
    private func foundation(_ data: Data) -> JSONValue? {
        let object = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        return object.flatMap(JSONValue.init(foundation:))
    }

    /// Our value with as many digits as Foundation keeps.
    private static func rounded(_ value: JSONValue) -> JSONValue? { JSONValue(foundation: value.foundationObject) }

    static let values = [
        #""\/\b\f\n\r\t\"\\""#, #""\u00e4\u00E4\uD83D\uDE00\ud800\udc00""#, #""\u0000 \\u0000""#,
        "\"\u{7f} ü 😀 e\u{301}\"",
        #"{"a":1,"b":{"a":[]},"a":[{}]}"#, " \r\n\t[ 1 , 2 ]\n", "\u{feff}{}", #"{"":""}"#,
        "null", "true", "false", "0", "-0", "-0.0", "1E+2", "1e-2", "0e5", "0.1e1", "1.5e3", "1e18", "1e19", "1e308",
        "1e-400", "4.9e-324", "1.7976931348623157e308", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "9007199254740993", "999999999999999999", "1000000000000000000", "-999999999999999999",
    ]

    @Test("of every kind of value", arguments: values)
    func value(_ text: String) throws {
        let (ours, theirs) = (Self.rounded(try JSONValue(parsing: text)), foundation(Data(text.utf8)))
        // Foundation keeps a number that fits into no integer as the nearest double.
        #expect(ours == theirs || (ours?.doubleValue != nil && ours?.doubleValue == theirs?.doubleValue))
    }

    static let mistakes = [
        "", " ", "-", "01", "-01", "1.", "1.e3", ".5", "+1", "1e", "1e+", "--1", "0x10", "1_000", "NaN", "Infinity",
        "1e400", "-1e400", "tru", "nulll", "true false", "1 2", "[", "]", "[1 2]", "[,1]", "[1", "{", #"{"a"}"#,
        #"{"a" 1}"#,
        #"{"a":}"#, "{1:2}", "{a:1}", #"{"a":1 "b":2}"#, "'a'", #""abc"#, #""\"#, #""\x""#, #""\u12""#, #""\u00g0""#,
        #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, "\"\u{1}\"", "\"\t\"", "\"\n\"",
        "\u{a0}1", "1;", "{}}", "[]]", "/**/1",
    ]

    @Test("of what is none, which is refused in one sentence", arguments: mistakes)
    func mistake(_ text: String) {
        #expect(foundation(Data(text.utf8)) == nil)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        let hasReason = ["not valid JSON: ", "not accepted: "].contains { error?.description.hasPrefix($0) ?? false }
        #expect(hasReason, "\(error?.description ?? "")")
    }

    static let invalidUTF8: [[UInt8]] = [
        [0xff], [0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80],
        [0xe2] + Array(#"\n"#.utf8) + [0x82, 0xac],
    ]

    @Test("of strings that are no UTF-8", arguments: invalidUTF8)
    func encoding(_ bytes: [UInt8]) {
        let data = Data([0x22] + bytes + [0x22])
        #expect(foundation(data) == nil)
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: data) }
    }

    @Test("UTF-16, which JSON is not sent in, is refused", arguments: [String.Encoding.utf16, .utf16LittleEndian])
    func otherEncoding(_ encoding: String.Encoding) throws {
        let data = try #require("[1]".data(using: encoding))
        #expect(foundation(data) != nil)
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: data) }
    }

    @Test(
        "a number is the double that is nearest, however many digits it has: Foundation on Linux misses some",
        arguments: ["0.30000000000000004", "100000000000000000000000000000000000000000", "1.512345678901234567890"])
    func nearestDouble(_ text: String) throws {
        #expect(try JSONValue(parsing: text).doubleValue == Double(text))
    }

    @Test("the place of a mistake is named by its byte")
    func place() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: #"{"ü": 1, "b": x}"#) }
        #expect(error?.description == "not valid JSON: not a value at byte 15")
        let early = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: #"{"a": ["#) }
        #expect(early?.description == "not valid JSON: it ends too early")
    }

    @Test("nesting is bounded, of objects and arrays together")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
        }
        _ = try JSONValue(parsing: nested(JSONValue.depthLimit))
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(JSONValue.depthLimit + 2)) }
        #expect(error?.description == "not accepted: nested more than 64 levels deep, at byte 192")
    }

    @Test(
        "names are compared by their bytes, so two spellings of é are two members, which Foundation on Linux takes for one"
    )
    func namesByBytes() throws {
        let text = #"{"e\#u{301}":2,"\#u{e9}":1}"#
        let value = try JSONValue(parsing: text)
        #expect(try Array(value.encoded()) == Array(text.utf8))
        #expect(value["\u{e9}"] == 1 && value["e\u{301}"] == 2)
        #expect(try JSONValue(parsingUnambiguous: Data(text.utf8)) == value)
        #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsingUnambiguous: Data(#"{"\#u{e9}":1,"\u00e9":2}"#.utf8))
        }
        #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    }

    // MARK: at random

    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", #""a""#, #""b""#, "\\", #"\u"#, "d83d", #"\ude00"#, #"\ud800"#, "1", "0",
        "-", "1.5",
        "e", "E", "+", "true", "false", "null", " ", "\n", "ü", "😀", "\u{301}", #"\n"#, #"{"a":"#, "[[", "]]", "x",
        "\u{1}",
    ]
    private static let payload =
        #"{"aps":{"alert":{"title":"Br\u00e4\ud83d\ude00","x":[1,-2.5e3,true,null]},"n":12345},"é":"x\n","z":[{},[]]}"#

    /// A few pieces in a row, or a payload with a few mistakes.
    private func text(_ random: inout SeededGenerator) -> [UInt8] {
        guard Bool.random(using: &random) else {
            return (0..<Int.random(in: 1...8, using: &random)).flatMap { _ in
                Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
            }
        }
        var text = Array(Self.payload.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text[place] = UInt8.random(in: 1 ... .max, using: &random)
            case 1: text.insert(contentsOf: (Self.pieces.randomElement(using: &random) ?? "").utf8, at: place)
            default: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...6, using: &random)))
            }
        }
        return text
    }

    /// Foundation on Linux reads over a comma before an end, and misses the nearest double of more than 16 digits.
    private func isKnownDifference(_ text: [UInt8]) -> Bool {
        let digits = text.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) && $0 != UInt8(ascii: ".") }
        guard !digits.contains(where: { $0.count > 16 }) else { return true }
        let dense = String(decoding: text.filter { ![0x20, 0x0a].contains($0) }, as: UTF8.self)
        return dense.contains(",]") || dense.contains(",}")
    }

    @Test("of twenty thousand texts that chance has made", arguments: [1, 2] as [UInt64])
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var readable = 0
        for number in 0..<10_000 {
            let text = text(&random)
            guard !isKnownDifference(text) else { continue }
            let ours = try? JSONValue(parsing: Data(text))
            if ours != nil { readable += 1 }
            #expect(
                ours.flatMap(Self.rounded) == foundation(Data(text)),
                "seed \(seed), text \(number): \(String(decoding: text, as: UTF8.self))"
            )
        }
        #expect(readable > 1000 && readable < 9000)
    }
}
