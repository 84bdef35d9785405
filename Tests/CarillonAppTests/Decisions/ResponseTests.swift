import CarillonApp
import CarillonMessaging
import Testing
import UserNotifications

@Suite("Responses are told apart, and those that leave the app in the background do not wait for screens")
struct ResponseTests {
    @Test("the twin of a response, from the scene, is not a second one; what is remembered is bounded")
    func twins() {
        var known = KnownResponses()
        func isNew(_ number: Int) -> Bool {
            known.remember(KnownResponses.Key(identifier: "m\(number)", shownAtMilliseconds: 1, action: .open))
        }
        let first = (1...2).map { _ in isNew(0) }
        #expect(first == [true, false])
        let others = (1...AppLimits.rememberedResponses).map(isNew)
        #expect(others.allSatisfy(\.self) && isNew(0))
    }

    @Test("what leaves the app in the background does not wait for screens that may never come")
    func background() {
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
}
