import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonSimulator

@Suite("The look at a payload")
struct PayloadShapeTests {
    private func shape(_ text: String) -> PayloadShape { shape(Array(text.utf8)) }
    private func shape(_ bytes: [UInt8]) -> PayloadShape { bytes.withUnsafeBytes { PayloadShape(reading: $0) } }

    @Test(
        "a JSON dictionary is recognised, with its aps",
        arguments: [
            (#"{"aps":{"alert":"x"}}"#, PayloadShape.Aps.filled, false),
            (#" { "a" : [1,-2.5e+3,true,null,"\u00e9\\"] } "#, .absent, true),
            (#"{"aps":{}}"#, .empty, false), (#"{"x":{"aps":1},"aps":{"badge":0}}"#, .filled, true),
            ("{}", .absent, false),
        ])
    func recognised(_ text: String, _ aps: PayloadShape.Aps, hasOther: Bool) {
        #expect(shape(text) == .dictionary(aps: aps, hasOther: hasOther))
    }

    @Test(
        "everything else is malformed",
        arguments: [
            "[]", "1", "{", "{}}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":1.}"#,
            #"{"a":+1}"#,
            #"{"a":tru}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, "{\"a\":\"\n\"}", #"{"aps":"text"}"#, #"{"aps":null}"#,
            #"{"a":nan}"#, "\u{feff}{}",
        ])
    func malformed(_ text: String) {
        #expect(shape(text) == .malformed)
    }

    @Test("bytes that are no UTF-8 are malformed, and nothing is nothing")
    func bytes() {
        #expect(shape(Array(#"{"a":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)) == .malformed)
        #expect(shape([]) == .nothing)
    }

    @Test("nesting beyond the limit is malformed and ends no process")
    func depth() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(shape(#"{"a":"# + deep) == .malformed)
    }

    private static let seeds = Seeds(fixed: [], drawn: 1, filter: "PayloadShapeTests")

    @Test("it agrees with Foundation's decoder on mutated payloads", arguments: seeds.all)
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let original = Array(#"{"aps":{"alert":{"title":"Grüße"},"badge":-1.5e2},"list":[true,null,"\n"]}"#.utf8)
        for round in 0..<3000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
            }
            let isObject = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
            let hasBadAps = isObject.map { $0["aps"] != nil && !($0["aps"] is [String: Any]) } ?? false
            #expect(
                (shape(bytes) == .malformed) == (isObject == nil || hasBadAps),
                "round \(round): \(String(decoding: bytes, as: UTF8.self)); \(Self.seeds.again(seed))")
        }
    }
}
