import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Synchronization
import Testing
import UserNotifications

@MainActor
@Suite("Asking, reinstalling, and signing in without a network")
struct FirstLaunchTests {
    private func openUnasked(_ fixture: AppFixture, signInToken: String? = nil) async throws -> Carillon {
        var plan = try fixture.plan(signInToken: signInToken)
        plan.asksPermission = false
        fixture.install(plan)
        try await fixture.open()
        try await fixture.settle()
        return try #require(fixture.app?.carillon)
    }

    @Test("an app that asks later is registered without a permission, and tells of it when the person has answered")
    func askLater() async throws {
        try await AppFixture.run { fixture in
            let carillon = try await openUnasked(fixture)
            #expect(fixture.phone.permissionSheet == nil && carillon.authorizationStatus == .notDetermined)
            #expect(fixture.service.registrations.map(\.facts.permission) == [.notDetermined])
            try await fixture.removal("m0")  // a silent push needs no permission
            let asking = Task { await carillon.requestAuthorization() }
            try await fixture.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
            #expect(fixture.service.changes.isEmpty)
            try await fixture.phone.answerPermission(allow: false)
            #expect(await asking.value == .denied)
            try await fixture.settle()
            #expect(fixture.service.changes == [DeviceChange(permission: .denied)])
            #expect(
                fixture.callbackLog.lines == ["permission not-determined", "removed m0: recalled", "permission denied"])
            // iOS asks once; the recorded answer comes back without a sheet, and the service hears nothing new.
            #expect(await carillon.requestAuthorization() == .denied)
            #expect(fixture.phone.permissionSheet == nil && fixture.service.changes.count == 1)
        }
    }

    @Test("provisionally: no sheet, notifications go quietly to the list, and the service knows")
    func provisional() async throws {
        try await AppFixture.run { fixture in
            let carillon = try await openUnasked(fixture)
            #expect(
                await carillon.requestAuthorization(options: [.alert, .sound, .badge, .provisional]) == .provisional)
            try await fixture.settle()
            #expect(fixture.phone.permissionSheet == nil)
            #expect(fixture.service.changes == [DeviceChange(permission: .provisional)])
            try await fixture.goHome()
            try await fixture.visible("m1")
            #expect(fixture.onScreen == ["m1"] && fixture.phone.banner == nil && fixture.phone.sounds.isEmpty)
        }
    }

    @Test("a reinstalled app is a new installation with a new token, signed in by nobody, and works")
    func reinstall() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed(try fixture.plan(signInToken: "user-token"))
            fixture.app?.carillon?.signIn()
            try await fixture.settle()
            try await fixture.goHome()
            try await fixture.removal("m1")
            let before = try #require(fixture.service.registrations.last)
            try await fixture.phone.uninstall(AppFixture.bundleID)
            fixture.service[\.user] = nil
            try await fixture.openAllowed()
            let after = try #require(fixture.service.registrations.last)
            #expect(after.installation != before.installation && after.secret != before.secret)
            #expect(
                after.token != before.token && after.token.data == fixture.phone.deviceToken(of: AppFixture.bundleID))
            #expect(fixture.app?.carillon?.user == nil && after.signInToken == nil)
            try await fixture.goHome()
            try await fixture.silent("m2")
            #expect(fixture.onScreen == ["m2"])
        }
    }

    @Test(
        "who signs in without a network is bound when there is one: at the next try, on opening, or after a relaunch",
        arguments: Reunion.allCases)
    func signInOffline(reunion: Reunion) async throws {
        try await AppFixture.run { fixture in
            let token = Mutex<String?>(nil)
            var plan = try fixture.plan()
            plan.configuration.signInToken = { token.withLock(\.self) }
            try await fixture.openAllowed(plan)
            fixture.service[\.isDown] = true
            token.withLock { $0 = "user-token" }
            fixture.app?.carillon?.signIn()
            try await fixture.settle()
            #expect(fixture.app?.carillon?.user == nil && fixture.service[\.user] == nil)
            fixture.service[\.isDown] = false
            switch reunion {
            case .backoff: fixture.clock.advance(by: .seconds(6))
            case .opening:
                await fixture.phone.pressHome()
                try await fixture.open()
            case .relaunch:
                try await fixture.phone.forceQuit(AppFixture.bundleID)
                try await fixture.open()
            }
            try await fixture.settle()
            #expect(fixture.app?.carillon?.user == "user-token")
            #expect(fixture.service.changes.filter { $0.signInToken == "user-token" }.count == 1)
            #expect(fixture.service.registrations.count == 1, "only what has changed is told")
        }
    }

    enum Reunion: CaseIterable { case backoff, opening, relaunch }
}
