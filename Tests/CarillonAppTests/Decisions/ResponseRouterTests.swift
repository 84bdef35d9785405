import CarillonApp
import Testing

@Suite("Responses reach the app once, when it is ready")
struct ResponseRouterTests {
    private func response(_ id: String) -> (MessageResponse, ResponseRouter.Key) {
        let message = AppMessage(identifier: id, messageID: nil, userInfo: [:])
        return (
            MessageResponse(message: message, action: .open),
            ResponseRouter.Key(identifier: id, shownAtMilliseconds: 1, action: .open)
        )
    }

    @Test("a cold tap waits for the app, and its twin from the scene is not a second one")
    func coldTap() {
        var router = ResponseRouter()
        let (tap, key) = response("m")
        let early = [router.received(tap, key: key), router.received(tap, key: key)]
        let told = [router.becameReady(), router.becameReady()]
        let late = router.received(tap, key: key)
        #expect(early == [nil, nil] && told == [[tap], []] && late == nil)
    }

    @Test("a warm tap goes straight through")
    func warmTap() {
        var router = ResponseRouter()
        _ = router.becameReady()
        let (tap, key) = response("m")
        let told = router.received(tap, key: key)
        #expect(told == tap)
    }

    @Test("what waits is bounded")
    func bounded() {
        var router = ResponseRouter()
        for number in 0...AppLimits.waitingResponses {
            let (tap, key) = response("m\(number)")
            _ = router.received(tap, key: key)
        }
        let first = router.becameReady().first
        #expect(first?.message.identifier == "m1")
    }
}
