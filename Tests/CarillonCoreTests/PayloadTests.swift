import CarillonCore
import Foundation
import Testing

@Suite("Payload")
struct PayloadTests {
    @Test("a plain alert string is the body")
    func alertString() throws {
        let payload = try payload(#"{"aps": {"alert": "Breaking News!", "sound": "default"}}"#)
        #expect(payload.aps.alert == .text("Breaking News!"))
        #expect(payload.aps.alert?.body == "Breaking News!")
        #expect(payload.aps.sound == .default)
    }

    @Test("every documented key is read, and written back as it was")
    func everyKey() throws {
        let text = """
            {"aps":{"alert":{"body":"b","launch-image":"l","loc-args":["1"],"loc-key":"k","subtitle":"s",\
            "subtitle-loc-args":["2"],"subtitle-loc-key":"sk","title":"t","title-loc-args":["3"],"title-loc-key":"tk"},\
            "badge":3,"category":"NEWS","content-available":1,"filter-criteria":"f","interruption-level":"time-sensitive",\
            "mutable-content":1,"relevance-score":0.5,"sound":{"critical":1,"name":"bell","volume":0.25},\
            "target-content-id":"w","thread-id":"th"},"episode":{"number":7,"tags":["a",null,true]}}
            """
        let payload = try payload(text)
        #expect(payload.aps.unknown.isEmpty)
        #expect(payload.aps.badge == 3)
        #expect(payload.aps.sound == .critical(name: "bell", volume: 0.25))
        #expect(payload.aps.interruptionLevel == .timeSensitive)
        #expect(payload.custom["episode"]?["number"]?.intValue == 7)
        #expect(String(decoding: try payload.encoded(), as: UTF8.self) == text)
    }

    @Test("an unknown key inside aps, such as the tutorial's link_url, survives a round trip")
    func unknownKeyInAps() throws {
        let payload = try payload(#"{"aps": {"alert": "New Posts!", "link_url": "https://example.com/ä/1"}}"#)
        #expect(payload.aps.unknown["link_url"] == "https://example.com/ä/1")
        let again = try Payload(json: JSONValue(parsing: payload.encoded()))
        #expect(again == payload)
    }

    @Test(
        "a value of the wrong kind is refused, and the error names its key",
        arguments: [
            (#"{"aps": []}"#, "aps must be a dictionary, not an array"),
            (#"{"aps": {"alert": 1}}"#, "aps.alert must be a string or a dictionary, not a number"),
            (#"{"aps": {"alert": {"title": 1}}}"#, "aps.alert.title must be a string, not 1"),
            (
                #"{"aps": {"alert": {"loc-args": ["a", 2]}}}"#,
                "aps.alert.loc-args must be an array of strings, not an array"
            ),
            (#"{"aps": {"badge": "3"}}"#, "aps.badge must be a whole number that is not negative, not a string"),
            (#"{"aps": {"badge": -1}}"#, "aps.badge must be a whole number that is not negative, not -1"),
            (#"{"aps": {"badge": 1.5}}"#, "aps.badge must be a whole number that is not negative, not 1.5"),
            (#"{"aps": {"content-available": "1"}}"#, "aps.content-available must be 0 or 1, not a string"),
            (#"{"aps": {"content-available": 2}}"#, "aps.content-available must be 0 or 1, not 2"),
            (#"{"aps": {"relevance-score": 2}}"#, "aps.relevance-score must lie between 0.0 and 1.0, not 2.0"),
            (
                #"{"aps": {"interruption-level": "loud"}}"#,
                "aps.interruption-level must be one of passive, active, time-sensitive, critical"
            ),
            (#"[]"#, "the payload is an array, not an object"),
        ])
    func wrongKind(text: String, sentence: String) throws {
        #expect(throws: PayloadError.self) { try payload(text) }
        do {
            _ = try payload(text)
        } catch let error as PayloadError {
            #expect(error.description == sentence)
        }
    }

    @Test("4096 bytes pass and 4097 do not; the error names the largest key")
    func size() throws {
        let empty = try Payload(aps: Aps(alert: .text("x")), custom: ["text": ""]).encoded().count
        let fits = Payload(
            aps: Aps(alert: .text("x")), custom: ["text": .string(String(repeating: "a", count: 4096 - empty))])
        #expect(try fits.validated(for: .alert).count == 4096)

        var tooLarge = fits
        tooLarge.custom["text"] = .string(String(repeating: "a", count: 4097 - empty))
        let error = #expect(throws: PayloadError.self) { try tooLarge.validated(for: .alert) }
        #expect(error?.key == "text")
        #expect(error?.problem.contains("4097 bytes and APNs takes 4096") == true)
    }

    @Test("multi-byte characters count as bytes, not as characters")
    func sizeInBytes() throws {
        let emoji = Payload(aps: Aps(alert: .text(String(repeating: "🔔", count: 1100))))
        let error = #expect(throws: PayloadError.self) { try emoji.validated(for: .alert) }
        #expect(error?.key == "aps")
        #expect(try emoji.validated(for: .voip).count > 4096)
    }

    @Test("a background push must wake and must not show")
    func background() throws {
        #expect(throws: Never.self) { try Payload(aps: Aps(contentAvailable: true)).validated(for: .background) }
        let silent = #expect(throws: PayloadError.self) {
            try Payload(aps: Aps(threadID: "t")).validated(for: .background)
        }
        #expect(silent?.key == "aps.content-available")
        let loud = #expect(throws: PayloadError.self) {
            try Payload(aps: Aps(badge: 1, contentAvailable: true)).validated(for: .background)
        }
        #expect(loud?.key == "aps.badge")
    }

    @Test("an empty aps is refused before APNs does it")
    func emptyAps() {
        let error = #expect(throws: PayloadError.self) { try Payload().validated(for: .alert) }
        #expect(error?.problem.contains("PayloadEmpty") == true)
    }

    private func payload(_ text: String) throws -> Payload { try Payload(json: JSONValue(parsing: text)) }
}
