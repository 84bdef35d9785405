import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonServer
import Chime
import Foundation
import Testing
import UIKit

/// Chime is deleted from a phone and installed again, and the service is the real one.
@MainActor @Suite("A reinstall", .serialized, .timeLimit(.minutes(5))) struct ReinstallTests {
    private nonisolated static let topic = "com.example.chime"

    private func bundle(_ backend: ServiceAndPhone) -> AppBundle {
        let secret = backend.signInSecret
        let chime = ChimeConfiguration(
            service: backend.base,
            signInToken: {
                let now = SystemClock().now
                return try SignInToken.make(
                    user: "ada", topic: Self.topic, issued: now, expires: now + .seconds(300), secret: secret)
            })
        return AppBundle(
            bundleID: Self.topic, name: "Chime", environment: .sandbox, appGroups: [ChimeConfiguration.appGroup],
            usesScenes: true, makeDelegate: { ChimeAppDelegate(configuration: chime) })
    }

    /// Opens Chime, allows it, and waits until the service has signed it in.
    ///
    /// - Returns: the installation's id.
    private func open(_ app: AppUnderTest) async throws -> String {
        try await app.openAndAllow()
        try await app.phone.until("the service has signed it in") { _ in chime(app)?.carillon?.user == "ada" }
        return try #require(chime(app)?.carillon?.installationID)
    }

    private func chime(_ app: AppUnderTest) -> ChimeAppDelegate? { app.delegate(as: ChimeAppDelegate.self) }

    private func send(_ id: String, _ backend: ServiceAndPhone) async throws {
        try await backend.call(
            "POST", "/v1/notifications",
            #"{"id": "\#(id)", "to": {"user": "ada"}, "payload": {"aps": {"alert": "\#(id)"}}}"#)
    }

    @Test("changes the token, and the service follows: what is sent next comes to the new one, and the old one is over")
    func followed() async throws {
        try await ServiceAndPhone.run(topic: Self.topic, bundle: bundle) { app, backend in
            let old = try await open(app)
            let oldToken = try backend.token(of: app)
            try await send("n1", backend)
            try await app.phone.until("it is shown") { _ in app.notifications.map(\.request.identifier) == ["n1"] }

            try await app.phone.uninstall(Self.topic)
            app.phone.install(bundle(backend))
            let new = try await open(app)
            #expect(try new != old && backend.token(of: app) != oldToken)
            #expect(app.notifications.isEmpty, "they went with the app")
            try await send("n2", backend)
            try await app.phone.until("it is shown") { _ in app.notifications.map(\.request.identifier) == ["n2"] }

            // APNs' answer for the old token is written down at about the same time.
            while try await backend.store.devices.device(old)?.state == .active { await Task.yield() }
            #expect(try await backend.store.devices.device(new)?.state == .active)
        }
    }
}
