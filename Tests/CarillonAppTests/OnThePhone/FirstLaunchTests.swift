import CarillonApp
import CarillonCore
import CarillonDevice
import Testing

@MainActor
@Suite("Asking, reinstalling, and signing in without a network")
struct FirstLaunchTests {
    private func openUnasked(_ bench: Bench, signInToken: String? = nil) async throws -> Carillon {
        var plan = try bench.plan(signInToken: signInToken)
        plan.asksPermission = false
        bench.install(plan)
        try await bench.open()
        try await bench.settle()
        return try #require(bench.app?.carillon)
    }

    @Test("an app that asks later is registered without a permission, and tells of it when the person has answered")
    func askLater() async throws {
        try await Bench.run { bench in
            let carillon = try await openUnasked(bench)
            #expect(bench.phone.permissionSheet == nil && carillon.permission == .notDetermined)
            #expect(bench.service.registrations.map(\.permission) == [.notDetermined])
            try await bench.removal("m0")  // a silent push needs no permission
            let asking = Task { await carillon.requestPermission() }
            try await bench.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
            #expect(bench.service.changes.isEmpty)
            try await bench.phone.answerPermission(allow: false)
            #expect(await asking.value == .denied)
            try await bench.settle()
            #expect(bench.service.changes == [DeviceChange(permission: .denied)])
            #expect(
                bench.diary.lines == ["permission not-determined", "removed m0: recalled", "permission denied"])
            // iOS asks once; the recorded answer comes back without a sheet, and the service hears nothing new.
            #expect(await carillon.requestPermission() == .denied)
            #expect(bench.phone.permissionSheet == nil && bench.service.changes.count == 1)
        }
    }

    @Test("provisionally: no sheet, notifications go quietly to the list, and the service knows")
    func provisional() async throws {
        try await Bench.run { bench in
            let carillon = try await openUnasked(bench)
            #expect(await carillon.requestPermission(.provisional) == .provisional)
            try await bench.settle()
            #expect(bench.phone.permissionSheet == nil)
            #expect(bench.service.changes == [DeviceChange(permission: .provisional)])
            try await bench.goHome()
            try await bench.visible("m1")
            #expect(bench.onScreen == ["m1"] && bench.phone.banner == nil && bench.phone.sounds.isEmpty)
        }
    }

    @Test("a reinstalled app is a new installation with a new token, signed in by nobody, and works")
    func reinstall() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed(try bench.plan(signInToken: "user-token"))
            bench.app?.carillon?.signIn()
            try await bench.settle()
            try await bench.goHome()
            try await bench.removal("m1")
            let before = try #require(bench.service.registrations.last)
            try await bench.phone.uninstall(Bench.bundleID)
            bench.service[\.user] = nil
            try await bench.openAllowed()
            let after = try #require(bench.service.registrations.last)
            #expect(after.installation != before.installation && after.secret != before.secret)
            #expect(after.token != before.token && after.token.data == bench.phone.deviceToken(of: Bench.bundleID))
            #expect(bench.app?.carillon?.user == nil && after.signInToken == nil)
            try await bench.goHome()
            try await bench.silent("m2")
            #expect(bench.onScreen == ["m2"])
        }
    }

    @Test(
        "who signs in without a network is bound when there is one: at the next try, on opening, or after a relaunch",
        arguments: Reunion.allCases)
    func signInOffline(reunion: Reunion) async throws {
        try await Bench.run { bench in
            try await bench.openAllowed(try bench.plan(signInToken: "user-token"))
            bench.service[\.isDown] = true
            bench.app?.carillon?.signIn()
            try await bench.settle()
            #expect(bench.app?.carillon?.user == nil && bench.service[\.user] == nil)
            bench.service[\.isDown] = false
            switch reunion {
            case .backoff: bench.clock.advance(by: .seconds(6))
            case .opening:
                await bench.phone.pressHome()
                try await bench.open()
            case .relaunch:
                try await bench.phone.forceQuit(Bench.bundleID)
                try await bench.open()
            }
            try await bench.settle()
            #expect(bench.app?.carillon?.user == "user-token")
            #expect(bench.service.changes.filter { $0.signInToken == "user-token" }.count == 1)
            #expect(bench.service.registrations.count == 1, "only what has changed is told")
        }
    }

    enum Reunion: CaseIterable { case backoff, opening, relaunch }
}
