import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Several delegates in the place of one")
struct DelegateChainTests {
    private let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000))
    private let log = EventLog()

    private func chain(_ policy: Carillon.DelegateChain.PresentationPolicy = .first) -> Carillon.DelegateChain {
        Carillon.DelegateChain(policy: policy, clock: clock, report: { [log] in log.add($0) })
    }

    private final class Answers {
        var results: [UIBackgroundFetchResult] = []
        var options: [UNNotificationPresentationOptions] = []
    }

    private func ask(_ chain: Carillon.DelegateChain, _ payload: [AnyHashable: Any] = [:]) -> Answers {
        let answers = Answers()
        chain.didReceiveRemoteNotification(payload) { answers.results.append($0) }
        return answers
    }

    @Test("new data of one is new data of all, and a failure counts before no data")
    func results() {
        let chain = chain()
        chain.add(Carillon.DelegateChain.Link(name: "a", remoteNotification: { $1(.noData) }))
        chain.add(Carillon.DelegateChain.Link(name: "b", remoteNotification: { $1(.failed) }))
        #expect(ask(chain).results == [.failed])
        chain.add(Carillon.DelegateChain.Link(name: "c", remoteNotification: { $1(.newData) }))
        #expect(ask(chain).results == [.newData])
    }

    @Test("nobody asked is answered at once")
    func nobody() {
        #expect(ask(chain()).results == [.noData])
    }

    @Test("a link that calls twice is counted once and named")
    func twice() {
        let chain = chain()
        chain.add(
            Carillon.DelegateChain.Link(
                name: "twice",
                remoteNotification: { _, done in
                    done(.newData)
                    done(.newData)
                }))
        #expect(ask(chain).results == [.newData])
        #expect(log.all == [.completionCalledTwice(name: "twice")])
    }

    @Test("a link that leaks its handler is named, and the others' answer goes out in time")
    func leak() {
        let chain = chain()
        chain.add(Carillon.DelegateChain.Link(name: "leaky", remoteNotification: { _, _ in }))
        chain.add(Carillon.DelegateChain.Link(name: "good", remoteNotification: { $1(.newData) }))
        let answers = ask(chain)
        #expect(answers.results.isEmpty)
        clock.advance(by: .seconds(25))
        #expect(answers.results == [.newData])
        #expect(log.all == [.completionLeaked(name: "leaky")])
    }

    @Test("foreign payloads are passed on, Carillon's are not")
    func foreign() {
        let chain = chain()
        let seen = Answers()
        chain.add(
            Carillon.DelegateChain.Link(name: "other", handles: Carillon.DelegateChain.Link.foreign) { _, done in
                seen.results.append(.noData)
                done(.noData)
            })
        _ = ask(chain, ["aps": ["alert": "A"], "gcm.message_id": "1"])
        _ = ask(chain, ["aps": ["alert": "A"], "carillon": ["v": 1, "id": "m"]])
        #expect(seen.results.count == 1)
    }

    @Test("two links of one name are a conflict, and the second is not added")
    func sameName() {
        let chain = chain()
        chain.add(Carillon.DelegateChain.Link(name: "a", remoteNotification: { $1(.newData) }))
        chain.add(Carillon.DelegateChain.Link(name: "a", remoteNotification: { $1(.failed) }))
        #expect(ask(chain).results == [.newData])
        #expect(log.all.count == 1)
    }

    @Test(
        "different wishes for the foreground are merged by the policy, and named",
        arguments: [
            (Carillon.DelegateChain.PresentationPolicy.first, UNNotificationPresentationOptions.banner),
            (Carillon.DelegateChain.PresentationPolicy.union, UNNotificationPresentationOptions([.banner, .sound])),
            (Carillon.DelegateChain.PresentationPolicy.intersection, UNNotificationPresentationOptions()),
        ])
    func presentation(policy: Carillon.DelegateChain.PresentationPolicy, expected: UNNotificationPresentationOptions)
        async throws
    {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.push(["aps": ["alert": "A"]], type: .alert, collapseID: "m1")
            let notification = try #require(fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first)
            let chain = chain(policy)
            chain.add(Carillon.DelegateChain.Link(name: "a", willPresent: { $1([.banner]) }))
            chain.add(Carillon.DelegateChain.Link(name: "b", willPresent: { $1([.sound]) }))
            let answers = Answers()
            chain.willPresent(notification) { answers.options.append($0) }
            #expect(answers.options == [expected])
            #expect(log.all.count == 1)
        }
    }
}
