import CarillonCore
import CarillonUserInfo
import Foundation
import Testing

@Suite("JSONValue")
struct JSONValueTests {
    @Test("integers stay exact, also beyond what a double can hold")
    func exactIntegers() throws {
        let value = try JSONValue(parsing: "9007199254740993")
        #expect(value == .int(9_007_199_254_740_993))
        #expect(String(decoding: try value.encoded(), as: UTF8.self) == "9007199254740993")
    }

    @Test("a boolean is not a number, and a number is not a boolean")
    func booleans() throws {
        let value = try JSONValue(parsing: #"{"flag": true, "one": 1}"#)
        #expect(value["flag"] == .bool(true))
        #expect(value["flag"]?.intValue == nil)
        #expect(value["one"] == .int(1))
        #expect(value["one"]?.boolValue == nil)
    }

    @Test("the smallest integers of Foundation are no booleans", arguments: [0, 1, 5] as [Int8])
    func smallIntegers(value: Int8) {
        #expect(JSONValue(foundation: NSNumber(value: value)) == .int(Int64(value)))
        #expect(JSONValue(foundation: NSNumber(value: value == 1)) == .bool(value == 1))
    }

    @Test("what JSONSerialization reads becomes the same value")
    func fromFoundation() throws {
        let text = #"{"a":[1,2.5,true,false,null,"x"],"b":{"c":-7,"big":9007199254740993}}"#
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(JSONValue(foundation: object) == (try JSONValue(parsing: text)))
        #expect(JSONValue(foundation: ["when": Date(timeIntervalSince1970: 0)]) == nil)
    }

    @Test("a push's userInfo gives back the value it was made of")
    func foundationRoundTrip() throws {
        let value = try JSONValue(parsing: #"{"a":[1,2.5,true,null],"s":"ü"}"#)
        #expect(JSONValue(foundation: value.foundationObject) == value)
    }

    @Test(
        "the largest and the smallest number come through Foundation, and what rounds to one of them",
        arguments: ["9223372036854775807", "-9223372036854775808", "-9223372036854775807", "9007199254740993"])
    func extremes(text: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8))
        // Foundation on Linux reads some of them as a decimal, and gives out no more than a double.
        let number = try JSONValue(parsing: "[\(text)]").arrayValue?.first?.doubleValue
        #expect(number != nil && JSONValue(foundation: object)?.arrayValue?.first?.doubleValue == number)
    }

    @Test(
        "a comma before an end is refused, which Foundation on Linux reads over",
        arguments: [#"{"a":1,}"#, "[1,]", "[1 , \n ]", #"{"a":[{"b":"\\",}]}"#])
    func trailingComma(text: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(error?.description.hasPrefix("not valid JSON: ") == true)
    }

    @Test(
        "a comma in a text is none", arguments: [#"{"a":",]","b":[1,2]}"#, #"["\",]"]"#, "[]", "{}", #"[",", [], {}]"#])
    func commaInText(text: String) throws { _ = try JSONValue(parsing: text) }

    @Test("text that is not JSON is refused with a sentence", arguments: ["", "{", "{]", "nul", "{\"a\":1} x"])
    func notJSON(text: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        let parts = error?.description.components(separatedBy: "valid JSON")
        #expect(parts?.count == 2 && parts?.last?.hasPrefix(": ") == true, "\(error?.description ?? "") says it once")
    }

    @Test(
        "numbers keep their value, and equal one another however they are written",
        arguments: [
            ("9223372036854775807", JSONValue.int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .number("9223372036854775808")), ("1e19", .number("10000000000000000000")),
            ("9007199254740993", .int(9_007_199_254_740_993)), ("1.0", .int(1)), ("-0.0", .int(0)), ("1e2", .int(100)),
            ("0.1", .double(0.1)), ("0.1000", .double(0.1)), ("1E-1", .double(0.1)), ("0e5", .int(0)),
        ])
    func numbers(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
        #expect(try JSONValue(parsing: "[\(text)]") == .array([value]))
    }

    @Test(
        "a number is written digit by digit as it was read, alone and within a payload",
        arguments: [
            "0", "-0", "7", "-7", "1.0", "-1.50", "0.1000", "1e5", "1E+05", "1e-7", "2.5", "1e-400",
            "9223372036854775807",
            "9223372036854775808", "-9223372036854775809", "18446744073709551615", "123456789012345678901234567890",
            "0.123456789012345678901234567890",
        ])
    func digits(_ text: String) throws {
        #expect(String(decoding: try JSONValue(parsing: text).encoded(), as: UTF8.self) == text)
        let payload = #"{"a/b":"ü\"","aps":{"alert":"x"},"n":[\#(text),{"m":\#(text),"z":true}],"w":null}"#
        #expect(String(decoding: try JSONValue(parsing: payload).encoded(), as: UTF8.self) == payload)
        #expect(
            String(decoding: try Payload(json: try JSONValue(parsing: payload)).encoded(), as: UTF8.self) == payload)
    }

    @Test("a value is written as Foundation writes it, byte for byte")
    func asFoundationWrites() throws {
        var generator = SeededGenerator(seed: 2026)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let samples: [JSONValue] = [
            1e20, 1e-7, 0.1, -0.5, .double(1), .double(-0.0), .double(.greatestFiniteMagnitude), .int(.min), .int(.max),
            [], [:],
        ]
        for value in samples + (0..<3000).map({ _ in Self.value(&generator, depth: 3) }) {
            let expected = String(decoding: try encoder.encode(value), as: UTF8.self)
            #expect(String(decoding: try value.encoded(), as: UTF8.self) == expected)
            #expect(try JSONValue(parsing: try value.encoded(pretty: true)) == value)
        }
        for number in [Double.infinity, -.infinity, .nan] {
            #expect(throws: EncodingError.self) { try JSONValue.array([.double(number)]).encoded() }
        }
    }

    private static func value(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        let count = Int.random(in: 0..<5, using: &generator)
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .int(Int64.random(in: -1000 ... .max, using: &generator))
        case 3: return .double(Double.random(in: -10...10, using: &generator) * (count == 0 ? 1e-12 : 1e9))
        case 4, 5: return .string(text(&generator))
        case 6: return .array((0..<count).map { _ in value(&generator, depth: depth - 1) })
        default:
            let members = (0..<count).map { _ in (text(&generator), value(&generator, depth: depth - 1)) }
            return .object(Dictionary(members) { _, last in last })
        }
    }

    /// Text of all control characters, of what must be escaped, and of letters of one to four bytes.
    private static func text(_ generator: inout SeededGenerator) -> String {
        let letters = (0..<0x21).map { Character(UnicodeScalar($0)) } + Array("\"\\/aBb10é\u{7F}\u{2028}中🛎e\u{301}")
        let count = Int.random(in: 0..<6, using: &generator)
        return String((0..<count).compactMap { _ in letters.randomElement(using: &generator) })
    }

    @Test("numbers that differ beyond a double's digits differ, and equal ones have one hash")
    func equality() throws {
        func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
        #expect(try value("18446744073709551615") != value("18446744073709551616"))
        #expect(try value("18446744073709551615") != .double(0x1p64))
        #expect(try value("-1.0") != value("1.0"))
        let one = try ["1", "1.0", "10e-1", "0.1e1", "1.000"].map(value)
        #expect(Set(one).count == 1)
        #expect(Set(try ["0", "-0", "0.0", "-0e9"].map(value)).count == 1)
    }

    @Test("a number without a fraction is an integer in any spelling, and no more than 64 bits")
    func integers() throws {
        #expect(try JSONValue(parsing: "1.0").intValue == 1)
        #expect(try JSONValue(parsing: "1e2").intValue == 100)
        #expect(try JSONValue(parsing: "18446744073709551615").intValue == nil)
        #expect(try JSONValue(parsing: "18446744073709551615").doubleValue == 0x1p64)
        let large = try JSONValue(parsing: "18446744073709551615").foundationObject as? NSNumber
        #expect(large?.uint64Value == .max)
    }

    @Test("of two members with one name the last counts, as in most parsers")
    func sameName() throws {
        #expect(try JSONValue(parsing: #"{"a": 1, "b": true, "a": 2}"#) == ["a": 2, "b": true])
    }

    @Test("numbers of every kind come out of a userInfo, and what is no JSON does not")
    func userInfo() throws {
        let object: [AnyHashable: Any] = [
            "large": NSNumber(value: UInt64.max), "half": NSNumber(value: Float(0.5)), "none": NSNull(),
            "yes": NSNumber(value: true), "list": [1, "a"] as [Any], "count": 7, "ratio": 0.25,
        ]
        let value = try #require(JSONValue(foundation: object))
        #expect(value["large"] == .number("18446744073709551615") && value["half"] == 0.5 && value["none"] == .null)
        #expect(value["yes"] == true && value["list"] == [1, "a"] && value["count"] == 7 && value["ratio"] == 0.25)
        #expect((value["large"]?.foundationObject as? NSNumber)?.uint64Value == UInt64.max)
        #expect((JSONValue.number("1e3").foundationObject as? NSNumber)?.doubleValue == 1000)
        #expect(value.userInfo.count == 7 && JSONValue.null.userInfo.isEmpty)
        for wrong in [[AnyHashable(1): "a"], ["a": Date()], ["a": [Date()]]] as [[AnyHashable: Any]] {
            #expect(JSONValue(foundation: wrong) == nil)
        }
    }
}
