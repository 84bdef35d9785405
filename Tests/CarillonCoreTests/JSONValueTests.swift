import CarillonCore
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
        // Foundation on Linux reads some of them as a decimal, of which no more than a double can be had.
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
        "numbers keep their value as far as a double and a signed integer can hold it",
        arguments: [
            ("9223372036854775807", JSONValue.int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(0x1p63)), ("18446744073709551615", .double(0x1p64)),
            ("9007199254740993", .int(9_007_199_254_740_993)), ("1.0", .int(1)), ("-0.0", .int(0)), ("1e2", .int(100)),
            ("0.1", .double(0.1)),
        ])
    func numbers(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
        #expect(try JSONValue(parsing: "[\(text)]") == .array([value]))
    }

    @Test("of two members with one name the last counts, as in most parsers")
    func sameName() throws {
        #expect(try JSONValue(parsing: #"{"a": 1, "b": true, "a": 2}"#) == ["a": 2, "b": true])
    }
}
