import CarillonCore
import Testing

@testable import CarillonServer

@Suite("A body's fingerprint tells a repetition from another message")
struct FingerprintTests {
    @Test(
        "the same value in another spelling has the same",
        arguments: [
            (#"{"a": 1, "b": [true, null]}"#, #"{"b":[true,null],"a":1}"#), (#"{"a": 1.0}"#, #"{"a": 1}"#),
            ("[0.1000, 1e5, -0]", "[0.1, 100000, 0]"),
            ("100000000000000000000000000000.0", "1e29"), ("[18446744073709551616]", "[18446744073709551616.0]"),
            (#""é""#, #""\u00e9""#),
        ])
    func same(_ one: String, _ other: String) throws {
        #expect(try JSONValue(parsing: one).fingerprint == JSONValue(parsing: other).fingerprint)
    }

    @Test("every other value has another")
    func different() throws {
        let texts = [
            "null", "true", "false", "0", "1", "-1", "1.5", #""""#, #""1""#, "[]", "{}", "[[]]", "[{}]", #"["a", "b"]"#,
            #"["ab"]"#, #"["", "ab"]"#, #"{"a": "b"}"#, #"{"ab": ""}"#, #"{"a": null}"#, #"[["a"], "b"]"#,
            #"[["a", "b"]]"#, #"{"a": {"b": 1}}"#, #"{"a": {}, "b": 1}"#, "[0]", "[false]", "[null]", #""n""#,
            "18446744073709551615", "18446744073709551616", "-18446744073709551616", "9007199254740993.5", "1e29",
        ]
        #expect(Set(try texts.map { try JSONValue(parsing: $0).fingerprint }).count == texts.count)
    }
}
