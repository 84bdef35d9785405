import CarillonCore
import Testing

@testable import CarillonMessaging

@Suite("The tokens for Live Activities in a registration") struct LiveActivityTokensTests {
    private func token(_ hex: String, _ id: String? = nil, type: String = "Match") throws -> LiveActivityToken {
        LiveActivityToken(type: type, id: id, token: try #require(DeviceToken(hex: hex)))
    }

    @Test("only those of registered types, the oldest of each name until it ends, in a fixed order")
    func list() throws {
        var tokens = LiveActivityTokens()
        #expect(tokens.tokens(of: ["Match"]) == nil)
        tokens.start("Match", try token("aa").token)
        tokens.start("Order", try token("ab").token)
        tokens.update("1", try token("b1", "match-7"))
        tokens.update("2", try token("b2", "match-8"))
        tokens.update("3", try token("b3", "match-7"))
        let expected = [try token("aa"), try token("b1", "match-7"), try token("b2", "match-8")]
        #expect(tokens.tokens(of: ["Match"]) == expected)
        tokens.end("1")
        #expect(tokens.tokens(of: ["Match"]) == [expected[0], try token("b3", "match-7"), expected[2]])
        tokens.update("3", try token("b4", "match-7"))
        #expect(tokens.tokens(of: ["Match"]) == [expected[0], try token("b4", "match-7"), expected[2]])
        tokens.end("3")
        tokens.keep(only: ["2"], of: "Match")
        #expect(tokens.tokens(of: ["Match"]) == [expected[0], expected[2]])
        tokens.signOut()
        #expect(tokens.tokens(of: ["Match"]) == [expected[0]] && tokens.tokens(of: []) == nil)
    }

    @Test("a change sends the whole list, and an empty one when the last token is gone")
    func change() throws {
        let device = DeviceFacts(permission: .authorized)
        func facts(_ tokens: [LiveActivityToken]?) throws -> RegistrationFacts {
            RegistrationFacts(
                token: try token("dd").token, topic: "com.example.app", environment: .sandbox, device: device,
                liveActivities: tokens)
        }
        let (none, some) = (try facts(nil), try facts([try token("aa")]))
        #expect(DeviceChange(from: none, to: some, signInToken: nil).liveActivities == [try token("aa")])
        #expect(DeviceChange(from: some, to: none, signInToken: nil).liveActivities == [])
        #expect(DeviceChange(from: some, to: some, signInToken: nil).liveActivities == nil)
        var state = RegistrationState()
        state.registered(none, user: nil, at: Timestamp(secondsSince1970: 0))
        state.nobodyIsSignedIn()
        #expect(
            state.next(some, at: Timestamp(secondsSince1970: 1))
                == .change(from: none, to: some, withSignInToken: false))
    }
}
