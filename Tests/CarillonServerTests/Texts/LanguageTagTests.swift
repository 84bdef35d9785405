import Testing

@testable import CarillonServer

@Suite("A language tag")
struct LanguageTagTests {
    private static let localized = ["de", "de-AT", "pt", "zh-Hant", "zh-TW", "en_gb", "nb", "sr-Latn"]

    @Test(
        "the texts of a device: of its locale, else of what is left of it, else the message's own",
        arguments: [
            ("de_AT", "de-AT"), ("de-DE", "de"), ("DE", "de"), ("de_AT@calendar=gregorian", "de-AT"),
            ("pt-BR", "pt"), ("pt_BR", "pt"), ("zh-Hant-TW", "zh-Hant-TW"), ("zh_TW", "zh-Hant-TW"),
            ("zh-Hant-HK", "zh-Hant"), ("zh_HK", "zh-Hant"), ("zh-Hans-CN", nil), ("zh", nil),
            ("en-GB", "en-GB"), ("EN_gb", "en-GB"), ("en_US", nil), ("no", "nb"), ("nb_NO", "nb"),
            ("sr-Latn-RS", "sr-Latn"), ("sr_RS", nil), ("sr-Latn-x-a-b", "sr-Latn"), ("", nil), ("@", nil),
            ("de..", "de"), ("ünï", nil), ("-", nil),
        ] as [(String, String?)])
    func lookup(_ locale: String, _ expected: String?) throws {
        var texts = MessageTexts()
        for name in Self.localized { texts.localized[try LanguageTag(name).description] = LocalizedText(title: name) }
        #expect(texts.language(for: locale) == expected)
    }

    @Test("no texts in any other language, and no locale: the message's own")
    func none() throws {
        #expect(MessageTexts().language(for: "de") == nil)
        #expect(MessageTexts(localized: ["de": LocalizedText(title: "x")]).language(for: nil) == nil)
    }

    @Test(
        "what is none is refused",
        arguments: [
            "", "d", "german", "d1", "de_", "-de", "de-AT-Latn", "de-AT-DE", "de--AT", "de AT", "dé", "de-u-co-phonebk",
            "x-klingon", "de-123456789", "*", "de-AT@x",
        ])
    func refused(_ text: String) {
        #expect(throws: InvalidLanguageTag.self) { try LanguageTag(text) }
    }

    @Test(
        "is written as usual, however it came",
        arguments: [("ZH_hant_tw", "zh-Hant-TW"), ("sl-rozaj-1994", "sl-rozaj-1994")])
    func spelling(_ text: String, _ expected: String) throws {
        #expect(try LanguageTag(text).description == expected)
        #expect(try LanguageTag(expected) == LanguageTag(text))
    }
}
