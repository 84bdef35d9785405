import CarillonCore
import Testing

@testable import CarillonMessaging

@Suite("The tokens for widgets and controls in a registration") struct WidgetTokensTests {
    private func token(_ hex: String) throws -> DeviceToken { try #require(DeviceToken(hex: hex)) }

    @Test("the widgets' token first, then the controls that the service takes, each token once")
    func list() throws {
        var tokens = WidgetTokens()
        #expect(tokens.tokens == nil)
        tokens.widgets = try token("aa")
        tokens.setControls([
            ("door", try token("d1")), ("door", nil), ("", try token("d2")), ("light", try token("d1")),
            (String(repeating: "x", count: 129), try token("d3")), ("light", try token("d4")),
        ])
        #expect(
            tokens.tokens == [
                WidgetToken(token: try token("aa")), WidgetToken(control: "door", token: try token("d1")),
                WidgetToken(control: "light", token: try token("d4")),
            ])
        tokens.setControls(try (0..<40).map { ("door", try token(String($0 + 16, radix: 16))) })
        #expect(tokens.tokens?.count == WidgetToken.limit)
    }

    @Test("a change sends the whole list, and an empty one when the last token is gone")
    func change() throws {
        func facts(_ tokens: [WidgetToken]?) throws -> RegistrationFacts {
            RegistrationFacts(
                token: try token("dd"), topic: "com.example.app", environment: .sandbox,
                device: DeviceFacts(permission: .authorized), widgets: tokens)
        }
        let (none, some) = (try facts(nil), try facts([WidgetToken(token: try token("aa"))]))
        #expect(DeviceChange(from: none, to: some, signInToken: nil).widgets == [WidgetToken(token: try token("aa"))])
        #expect(DeviceChange(from: some, to: none, signInToken: nil).widgets == [])
        #expect(DeviceChange(from: some, to: some, signInToken: nil).widgets == nil)
    }
}
