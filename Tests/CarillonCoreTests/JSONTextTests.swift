import CarillonCore
import Foundation
import Testing

@Suite("A JSON text is looked at before it is decoded")
struct JSONTextTests {
    private func nested(_ depth: Int) -> Data {
        Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }

    @Test("what is nested too deeply is refused with the place")
    func depth() throws {
        try JSONText.checkDepth(nested(32), atMost: 32)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONText.checkDepth(nested(33), atMost: 32) }
        #expect(error?.description.contains("32 levels") == true)
        #expect(error?.description.contains("byte 32") == true)
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(700)) }
        _ = try JSONValue(parsing: nested(JSONValue.depthLimit))
    }

    @Test("brackets within strings do not count, whatever is escaped there")
    func strings() throws {
        let text = #"{"a": "[[[[\"[[[[\\", "b": ["\\\"[[["]}"#
        try JSONText.checkDepth(Data(text.utf8), atMost: 2)
        _ = try JSONValue(parsing: text)
    }

    static let bad = [
        #"{"a": "x\u0000"}"#, #"{"\u0000": 1}"#, #"["\ud800"]"#, #"["\ud800x"]"#, #"["\udc00"]"#,
        #"["\ud800\ud800\udc00"]"#, #"["\udc00\ud800"]"#, #"["\ud83d\\ude00"]"#,
    ]

    @Test("NUL and half of a surrogate pair are refused, in names too", arguments: bad)
    func refused(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONText.checkStrings(Data(text.utf8)) }
    }

    @Test(
        "everything else is left to the decoder",
        arguments: [
            #"["\ud83d\ude00 \u00e4 \\u0000 \"\\ud800\""]"#, #"{"a": 0, "b": "\u"}"#, #"["\u00"#, #"["\"#, "", "\u{0}",
            #"["😀 \n\t\\"]"#,
        ])
    func accepted(_ text: String) throws {
        try JSONText.checkStrings(Data(text.utf8))
    }
}
