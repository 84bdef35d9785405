import Testing

@testable import CommandSupport

@Suite("What is meant by a typed beginning")
struct ShorthandTests {
    private let ids = ["94fac197-1", "94fac197-2", "94ab", "news", "news-1"]

    @Test("the whole id is meant, though others begin with it")
    func whole() {
        #expect(Shorthand.meanings(of: "news", among: ids) == ["news"])
    }

    @Test("a beginning means the one id that begins so, with the ellipsis that shortened it or without")
    func beginning() {
        for typed in ["94a", "94a…", "94a..."] { #expect(Shorthand.meanings(of: typed, among: ids) == ["94ab"]) }
    }

    @Test("a beginning of several means none of them alone, and what begins otherwise nothing")
    func ambiguous() {
        #expect(Shorthand.meanings(of: "94fac197…", among: ids) == ["94fac197-1", "94fac197-2"])
        #expect(Shorthand.meanings(of: "94fac197", among: ids + ids).count == 2)
        #expect(Shorthand.meanings(of: "x", among: ids) == [] && Shorthand.meanings(of: "", among: ids) == [])
        #expect(Shorthand.meanings(of: "…", among: ids) == [])
    }

    @Test("an ellipsis before a text means the ids that end with the text")
    func end() {
        for typed in ["…ab", "...ab"] { #expect(Shorthand.meanings(of: typed, among: ids) == ["94ab"]) }
        #expect(Shorthand.meanings(of: "…-1", among: ids) == ["94fac197-1", "news-1"])
        #expect(Shorthand.meanings(of: "……", among: ids) == [])
    }

    @Test("an apostrophe may be typed as it is on a keyboard")
    func apostrophe() {
        let phones = ["Ada’s iPhone", "Ada’s old iPhone"]
        #expect(Shorthand.meanings(of: "Ada's iPhone", among: phones) == ["Ada’s iPhone"])
        #expect(Shorthand.meanings(of: "Ada's o", among: phones) == ["Ada’s old iPhone"])
        #expect(Shorthand.meanings(of: "Ada", among: phones) == phones)
        #expect(Shorthand.meanings(of: "O’Hara", among: ["O'Hara"]) == ["O'Hara"])
    }
}
