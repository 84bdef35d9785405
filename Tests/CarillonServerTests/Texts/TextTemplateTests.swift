import Testing

@testable import CarillonServer

@Suite("A text with variables")
struct TextTemplateTests {
    @Test(
        "is filled with values",
        arguments: [
            ("Hello {{name}}", "Hello Ada"), ("{{ name }}{{name}}!", "AdaAda!"), ("", ""), ("{name}", "{name}"),
            ("a } b }} c {", "a } b }} c {"), (#"\{{name}}"#, "{{name}}"), (#"\\{{name}}"#, #"\{{name}}"#),
            ("{{missing}}.", "."), ("日本{{name}}語", "日本Ada語"), (#"\n"#, #"\n"#), ("{{under_score.x-1}}", "y"),
        ])
    func filled(_ text: String, _ expected: String) throws {
        let values = ["name": "Ada", "under_score.x-1": "y"]
        #expect(try TextTemplate(text).filled(with: values) == expected)
    }

    @Test("what a value has in it is no template")
    func values() throws {
        #expect(try TextTemplate("{{a}}{{b}}").filled(with: ["a": "{{b}}", "b": "\\{{"]) == "{{b}}\\{{")
    }

    @Test("names its variables in their order")
    func variables() throws {
        #expect(try TextTemplate(#"{{b}} \{{c}} {{a}} {{b}}"#).variables == ["b", "a", "b"])
    }

    @Test(
        "braces between which is no name are refused, and quoted",
        arguments: ["{{", "{{}}", "{{first name}}", "{{1st}}", "{{{name}}}", "a {{name", "{{ü}}", "{{ }}"])
    func refused(_ text: String) throws {
        let error = #expect(throws: InvalidTextTemplate.self) { try TextTemplate(text) }
        #expect(error?.description.contains(#"\{{"#) == true)
    }
}
