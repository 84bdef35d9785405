import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Widgets and controls are reloaded by push", .serialized, .timeLimit(.minutes(3)))
struct StoreWidgetTests {
    private func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make()
        for id in ["a", "b"] { try await store.enrol(device(id, user: "u"), at: noon) }
        try await store.register(widgets: "aa", of: "a")
        try await store.register(widgets: "bb", of: "b")
        return store
    }

    /// Lets APNs answer 410 to each reload that is due.
    private func rejectAll(_ store: Store) async throws {
        let pushes = try await store.claimReloads()
        try await store.settle(
            pushes.map { $0.settled(rejected("Unregistered", 410, since: noon + .seconds(1)), at: noon + .seconds(2)) },
            at: noon + .seconds(2))
    }

    @Test("each token of the audience gets one push, with Apple's headers and payload", arguments: StoreEngine.allCases)
    func push(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.enrol(device("c", user: "u"), at: noon)
        let report = try await store.reload()
        #expect(report == WidgetReloadReport(devices: 3, tokens: 2, finished: true, reason: nil))
        let pushes = try await store.claimReloads()
        #expect(pushes.map(\.token.hex).sorted() == ["aa", "bb"])
        let composed = try PushComposer.compose(try #require(pushes.first), at: noon)
        #expect(composed.pushType == .widgets && composed.priority == .immediate)
        #expect(String(decoding: composed.payload, as: UTF8.self) == #"{"aps":{"content-changed":true}}"#)
        #expect(composed.expiration == .at(noon + .seconds(3600)) && composed.collapseID == "carillon-widgets")
        try await store.settle(pushes.map { $0.settled() }, at: noon)
        #expect(try await store.claimReloads() == [])
    }

    @Test(
        "requests that wait are one push, and one that comes while it is in flight is another",
        arguments: StoreEngine.allCases)
    func collapsing(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        for _ in 0..<3 { #expect(try await store.reload(to: .devices(["a"])).tokens == 1) }
        let first = try await store.claimReloads()
        #expect(first.map(\.token.hex) == ["aa"])
        try await store.reload(to: .devices(["a"]))
        #expect(try await store.claimReloads() == [])
        try await store.settle(first.map { $0.settled() }, at: noon)
        let second = try await store.claimReloads()
        #expect(second.map(\.token.hex) == ["aa"])
        #expect(second.first?.apnsID != first.first?.apnsID)
        try await store.settle(second.map { $0.settled() }, at: noon)
        #expect(try await store.claimReloads() == [])
    }

    @Test(
        "nothing is sent after the deadline; of two requests that wait, the later one counts",
        arguments: StoreEngine.allCases)
    func deadline(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.reload(to: .devices(["a"]), until: noon + .seconds(60))
        #expect(try await store.claimReloads(at: noon + .seconds(60)) == [])
        #expect(try await store.rows("deliveries") == 0)
        try await store.reload(to: .devices(["a"]), until: noon + .seconds(200), at: noon + .seconds(61))
        try await store.reload(to: .devices(["a"]), until: noon + .seconds(100), at: noon + .seconds(62))
        let pushes = try await store.claimReloads(at: noon + .seconds(150))
        #expect(pushes.map(\.widget?.until) == [noon + .seconds(200)])
    }

    @Test("410 retires the token alone, and a token that comes after it is used", arguments: StoreEngine.allCases)
    func gone(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.reload(to: .devices(["a"]))
        try await rejectAll(store)
        #expect(try await store.device("a")?.state == .active)
        #expect(try await store.reload(to: .devices(["a"])).tokens == 0)
        try await store.register(widgets: "ac", of: "a")
        #expect(try await store.reload(to: .devices(["a"])).tokens == 1)
        #expect(try await store.claimReloads().map(\.token.hex) == ["ac"])
    }

    @Test(
        "a rejection that comes after the phone has another token changes nothing; the new token is asked in its place",
        arguments: StoreEngine.allCases)
    func late(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.reload(to: .devices(["a"]), until: noon + .seconds(900))
        let pushes = try await store.claimReloads()
        try await store.register(widgets: "ac", of: "a")
        try await store.settle(pushes.map { $0.settled(rejected("Unregistered", 410)) }, at: noon)
        let again = try await store.claimReloads(at: noon + .seconds(600))
        #expect(again.map(\.token.hex) == ["ac"] && again.map(\.widget?.until) == [noon + .seconds(900)])
        try await store.settle(again.map { $0.settled() }, at: noon + .seconds(600))
        #expect(try await store.rows("deliveries") == 0)
    }

    @Test("a control's token passes its reload on to the next of its kind alone", arguments: StoreEngine.allCases)
    func nextControl(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.register(widgets: "aa", controls: [("d1", "door"), ("e1", "light")], of: "a")
        try await store.reload(controls: ["door"])
        try await store.register(widgets: "ab", controls: [("d2", "door"), ("e2", "light")], of: "a")
        #expect(try await store.claimReloads().map(\.token.hex) == ["d2"])
    }

    @Test(
        "a token that APNs has rejected is tried again when the phone registers it again",
        arguments: StoreEngine.allCases)
    func deadToken(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.reload(to: .devices(["a"]))
        try await rejectAll(store)
        #expect(try await store.reload(to: .devices(["a"])).tokens == 0)
        try await store.register(widgets: "aa", of: "a", at: noon + .seconds(3))
        #expect(try await store.reload(to: .devices(["a"]), at: noon + .seconds(3)).tokens == 1)
    }

    @Test(
        "a reload that waits while the phone has no device token goes out with the next one",
        arguments: StoreEngine.allCases)
    func deviceTokenGone(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.reload(to: .devices(["a"]))
        try await store.write(at: noon) { session in
            try LosingTokens(session).retire("a", as: .unregistered, why: "test")
        }
        #expect(try await store.claimReloads() == [])
        _ = try await store.change(
            "a", DeviceUpdate(token: testToken("f0"), facts: [:], nonce: "n"), at: noon + .seconds(5))
        #expect(try await store.claimReloads(at: noon + .seconds(5)).map(\.token.hex) == ["aa"])
    }

    @Test("reloads of everyone that come while one is unfinished are one more", arguments: StoreEngine.allCases)
    func merged(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let task = StepwiseWork.Reloading(
            app: chime.number.rawValue, recipients: .everyone(upTo: 9), until: noon + .seconds(60), devices: 2)
        try await store.write(at: noon) { try WorkingInSteps($0).schedule(.reload(task), at: noon) }
        func reload(_ seconds: Int) async throws -> WidgetReloadReport {
            let new = NewWidgetReload(app: chime, audience: .everyone, until: noon + .seconds(seconds))
            return try await store.write(at: noon) { try ReloadingWidgets($0).reload(new, counted: 500) }
        }
        for seconds in 100..<110 {
            #expect(
                try await reload(seconds)
                    == WidgetReloadReport(devices: 500, tokens: 0, finished: false, reason: nil))
        }
        #expect(try await store.rows("work") == 1)
        let pushes = try await store.claimReloads()
        #expect(pushes.map(\.token.hex) == ["aa", "bb"] && pushes.first?.widget?.until == noon + .seconds(109))
        for number in 0..<StoreLimits.reloadsAtOnce {
            let other = StepwiseWork.Reloading(
                app: chime.number.rawValue,
                recipients: .matching(upTo: 9, condition: "tag:t\(number)", at: noon), until: noon + .seconds(60),
                devices: 2)
            try await store.write(at: noon) { try WorkingInSteps($0).schedule(.reload(other), at: noon + .seconds(30)) }
        }
        await #expect(throws: ServiceError.self) { try await reload(120) }
        #expect(try await store.reload(to: .devices(["a"])).finished, "few devices need no task")
    }

    @Test("a push that APNs did not answer is tried again", arguments: StoreEngine.allCases)
    func retried(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.reload(to: .devices(["a"]))
        let pushes = try await store.claimReloads()
        try await store.settle(pushes.map { $0.settled(rejected("ServiceUnavailable", 503)) }, at: noon)
        #expect(try await store.claimReloads() == [])
        #expect(try await store.claimReloads(at: noon + .seconds(600)).map(\.token.hex) == ["aa"])
    }

    @Test(
        "controls are reloaded by their kinds, each by its own token, and widgets are not",
        arguments: StoreEngine.allCases)
    func controls(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.register(widgets: "aa", controls: [("d1", "door"), ("d2", "door"), ("e1", "light")], of: "a")
        #expect(try await store.reload(controls: ["door", "window"]).tokens == 2)
        let pushes = try await store.claimReloads()
        #expect(pushes.map(\.token.hex).sorted() == ["d1", "d2"])
        #expect(Set(pushes.map(\.apnsID)).count == 2)
        #expect(try PushComposer.compose(try #require(pushes.first), at: noon).pushType == .controls)
    }

    @Test(
        "a token ends with its registration: when it is left out, the phone is deleted, or registers anew",
        arguments: StoreEngine.allCases)
    func ends(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.reload()
        try await store.register(widgets: nil, of: "a")
        _ = try await store.delete("b", at: noon)
        #expect(try await store.rows("widget_tokens") == 0)
        #expect(try await store.claimReloads() == [])
        try await store.register(widgets: "aa", of: "a")
        // A registration without widgets, such as that of a reinstalled app.
        _ = try await store.register(device("a", user: "u"), at: noon)
        #expect(try await store.reload(to: .devices(["a"])).tokens == 0)
    }

    @Test("another app's widgets stay as they are, and a call for nobody says why", arguments: StoreEngine.allCases)
    func tenancy(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.enrol(device("f", user: "u", app: ferry), at: noon)
        try await store.register(widgets: "ff", of: "f")
        #expect(try await store.reload(to: .everyone, app: ferry).tokens == 1)
        #expect(try await store.claimReloads().map(\.token.hex) == ["ff"])
        let report = try await store.reload(to: .users(["nobody"]))
        #expect(report == WidgetReloadReport(devices: 0, tokens: 0, finished: true, reason: .notSignedIn))
    }

    @Test("thousands of phones are asked in steps of bounded size", arguments: StoreEngine.allCases)
    func many(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let phones = 2500
        try await store.enrol((0..<phones).map { device("d\($0)") }, at: noon)
        _ = try await store.write(at: noon) {
            try $0.execute(
                "INSERT INTO widget_tokens (app, device, kind, token, registered) SELECT app, id, '', token, ? FROM devices",
                [noon.millisecondsSince1970])
        }
        let report = try await store.reload(to: .everyone)
        #expect(report.devices == phones && report.tokens <= StoreLimits.devicesPerStep)
        #expect(report.finished == (report.tokens == phones))
        var sent = 0
        while true {
            let pushes = try await store.claim(everything(limit: 500), at: noon).deliveries
            if pushes.isEmpty { break }
            sent += pushes.count { $0.purpose == .widgets }
            try await store.settle(pushes.map { $0.settled() }, at: noon)
        }
        #expect(sent == phones)
    }

    @Test("an erased user is not left in a task whose steps are unfinished", arguments: StoreEngine.allCases)
    func erased(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let task = StepwiseWork.Reloading(
            app: chime.number.rawValue, recipients: .users(["u", "v"]), until: noon + .seconds(60), devices: 2)
        try await store.write(at: noon) { try WorkingInSteps($0).schedule(.reload(task), at: noon + .seconds(30)) }
        _ = try await store.erase(UserReference("u", of: chime.number), at: noon)
        let state = try await store.read { try $0.row("SELECT state FROM work WHERE kind = 'reload'")?.text("state") }
        #expect(state?.contains(#""v""#) == true && state?.contains(#""u""#) == false, "\(state ?? "")")
    }
}

/// The calls about widgets of tests.
extension Store {
    @discardableResult
    func reload(
        to audience: Audience = .users(["u"]), controls: [String]? = nil, until: Timestamp = noon + .seconds(3600),
        app: AppReference = chime, at now: Timestamp = noon
    ) async throws -> WidgetReloadReport {
        try await widgets.reload(
            NewWidgetReload(app: app, audience: audience, controls: controls, until: until), at: now)
    }

    /// Registers a device's token for widgets, and those of its controls.
    func register(
        widgets: String?, controls: [(token: String, kind: String)] = [], of device: String, at now: Timestamp = noon
    ) async throws {
        let own = widgets.map { [WidgetToken(token: testToken($0))] } ?? []
        let others = controls.map { WidgetToken(control: $0.kind, token: testToken($0.token)) }
        _ = try await change(device, DeviceUpdate(facts: [:], widgets: own + others, nonce: "n"), at: now)
    }

    /// Claims the pushes to widgets and controls that are due.
    func claimReloads(at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        try await claim(everything(), at: now).deliveries.filter { $0.purpose == .widgets }
    }

    func rows(_ table: String) async throws -> Int {
        try await read { try $0.integer("SELECT count(*) FROM \(table)") }
    }
}
