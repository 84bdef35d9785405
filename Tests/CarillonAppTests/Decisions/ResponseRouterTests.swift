import CarillonApp
import CarillonMessaging
import Testing
import UserNotifications

@Suite("Responses reach the app once, when it is ready")
struct ResponseRouterTests {
    private func response(_ id: String) -> (Carillon.Response, ResponseRouter.Key) {
        let message = Carillon.Message(identifier: id, messageID: nil, userInfo: [:])
        return (
            Carillon.Response(message: message, action: .open),
            ResponseRouter.Key(identifier: id, shownAtMilliseconds: 1, action: .open)
        )
    }

    @Test("a cold tap waits for the app, and its twin from the scene is not a second one")
    func coldTap() {
        var router = ResponseRouter()
        let (tap, key) = response("m")
        let early = (1...2).map { _ in router.received(tap, key: key, opensApp: true) }
        let told = [router.becameReady(), router.becameReady()]
        let late = router.received(tap, key: key, opensApp: true)
        #expect(early == [nil, nil] && told == [[tap], []] && late == nil)
    }

    @Test("a warm tap goes straight through")
    func warmTap() {
        var router = ResponseRouter()
        _ = router.becameReady()
        let (tap, key) = response("m")
        let told = router.received(tap, key: key, opensApp: true)
        #expect(told == tap)
    }

    @Test("what leaves the app in the background does not wait for screens that may never come, and comes once")
    func background() {
        var router = ResponseRouter()
        let (reply, key) = response("m")
        let told = (1...2).map { _ in router.received(reply, key: key, opensApp: false) }
        #expect(told == [reply, nil] && router.waitingCount == 0)
        let rule = BackgroundActions([
            UNNotificationCategory(
                identifier: "NEWS",
                actions: [
                    UNNotificationAction(identifier: "view", title: "View", options: [.foreground]),
                    UNNotificationAction(identifier: "later", title: "Later", options: []),
                ], intentIdentifiers: [], options: [.customDismissAction])
        ])
        let opening: [Carillon.Response.Action] = [
            .open, .dismiss, .chose("view"), .chose("later"), .replied("later", text: ""),
        ]
        #expect(opening.map { rule.opensApp($0, category: "NEWS") } == [true, false, true, false, false])
        // Of another category, or one that the app has declared to iOS itself, nothing is known.
        #expect(rule.opensApp(.chose("later"), category: "OTHER"))
    }

    @Test("what waits is bounded")
    func bounded() {
        var router = ResponseRouter()
        for number in 0...AppLimits.waitingResponses {
            let (tap, key) = response("m\(number)")
            _ = router.received(tap, key: key, opensApp: true)
        }
        let first = router.becameReady().first
        #expect(first?.message.identifier == "m1")
    }
}
