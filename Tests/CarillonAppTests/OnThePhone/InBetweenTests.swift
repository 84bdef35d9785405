import CarillonApp
import CarillonCore
import CarillonMessaging
import Testing

/// Proxies, firewalls, portals and ingresses answer in the service's place.
@MainActor
@Suite("Only the service itself is believed")
struct InBetweenTests {
    @Test(
        "receipts that something in between refuses are kept, whatever it says",
        arguments: [403, 404, 400, 413, 200])
    func receipts(status: Int) async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.service[\.page] = "<html>Blocked</html>"
            fixture.service[\.refusals] = Array(repeating: status, count: 3)
            try await fixture.silent("m1")
            let installation = fixture.app?.carillon?.installationID
            fixture.service[\.refusals] = []
            fixture.clock.advance(by: .seconds(3600))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.receipts == ["received m1", "shown m1"])
            #expect(fixture.app?.carillon?.installationID == installation && fixture.service.registrations.count == 1)
        }
    }

    @Test("a problem of the service's in the body alone, which something in between has kept, is not believed")
    func copiedBody() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.service[\.page] =
                #"{"type": "urn:carillon:problem:invalid-value", "title": "t", "status": 422, "detail": "d"}"#
            fixture.service[\.refusals] = [422]
            try await fixture.silent("m1")
            fixture.service[\.refusals] = []
            fixture.clock.advance(by: .seconds(3600))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.receipts == ["received m1", "shown m1"])
        }
    }

    @Test("receipts that the service itself will never accept hold up no others, and take none with them")
    func refused() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.service[\.refusedMessage] = "\"bad\""
            fixture.service[\.isDown] = true
            for message in ["m1", "bad", "m2"] { try await fixture.silent(message) }
            fixture.service[\.isDown] = false
            fixture.clock.advance(by: .seconds(3600))
            try await fixture.silent("m3")
            let wanted = ["m1", "m2", "m3"].flatMap { ["received \($0)", "shown \($0)"] }
            #expect(fixture.service.receipts == wanted)
        }
    }

    @Test(
        "a sign-out that something in between has answered is told again, until the service confirms it",
        arguments: [404, 401, 200, 204])
    func signOut(status: Int) async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed(try fixture.plan(signInToken: "former"))
            fixture.service[\.page] = "<html>Deploying</html>"
            fixture.service[\.refusals] = [status]
            await fixture.app?.carillon?.signOut()
            try await fixture.settle()
            #expect(fixture.service[\.user] == "former" && fixture.service.registrations.count == 1)
            fixture.clock.advance(by: .seconds(3600))
            try await fixture.goHome()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service[\.user] == nil)
        }
    }

    @Test("a service that has forgotten the installation learns of the sign-out, and then of the next user")
    func forgotten() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed(try fixture.plan(signInToken: "former"))
            fixture.service[\.problems] = [StubService.Problem(status: 401, name: "unauthorized")]
            await fixture.app?.carillon?.signOut()
            try await fixture.settle()
            #expect(fixture.service[\.user] == nil)
            #expect(
                fixture.service.calls.suffix(3) == [
                    "DELETE /v1/devices/ID/user", "POST /v1/devices", "DELETE /v1/devices/ID/user",
                ])
            fixture.app?.carillon?.signIn()
            try await fixture.settle()
            #expect(fixture.service[\.user] == "former" && fixture.app?.carillon?.user == "former")
        }
    }

    @Test("an app that takes signed-in users only costs a phone without one neither its identity nor its next sign-in")
    func signInRequired() async throws {
        try await AppFixture.run { fixture in
            fixture.service[\.problems] = Array(
                repeating: StubService.Problem(status: 403, name: "sign-in-required"), count: 3)
            try await fixture.openAllowed()
            let installations = Set(fixture.service.registrations.map(\.installation))
            #expect(installations.count == 1 && installations.first == fixture.app?.carillon?.installationID)
        }
    }
}
