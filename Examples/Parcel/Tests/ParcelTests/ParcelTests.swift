import CarillonDevice
import Foundation
import Parcel
import ParcelService
import Testing

@MainActor @Suite("Parcel, from the backend to the screen", .serialized) struct ParcelTests {
    private func run(_ body: @MainActor (AppUnderTest, ParcelAppDelegate, Backend) async throws -> Void) async throws {
        let backend = try await Backend.start()
        defer { backend.stop() }
        let settings = ParcelSettings(service: backend.service) { try backend.signInToken(for: "anna") }
        let parcel = AppBundle(
            bundleID: Backend.topic, name: "Parcel", environment: .sandbox, backgroundModes: [.remoteNotification],
            appGroups: ["group.com.example.parcel"], usesScenes: true,
            makeDelegate: { ParcelAppDelegate(settings: settings) },
            makeServiceExtension: { ParcelNotificationService() })
        let clock = SystemClock()
        try await AppUnderTest.run(
            parcel, start: clock.now, link: AdminPushLink(adminURL: backend.apns, clock: clock)
        ) { app in
            try await app.openAndAllow()
            let delegate = try #require(app.phone.delegate(of: app.bundleID) as? ParcelAppDelegate)
            try await body(app, delegate, backend)
        }
    }

    @Test("a user's message is on the screen and in the inbox, is recalled, and a sign-out leaves nothing behind")
    func wholeWay() async throws {
        try await run { app, delegate, backend in
            let carillon = try #require(delegate.carillon)
            carillon.signIn()
            try await app.phone.until("anna is signed in") { _ in carillon.user == "anna" }

            try await app.suspend()
            let first = try await backend.send("Parcel 1 is here", to: "anna")
            let second = try await backend.send("Parcel 2 is here", to: "anna")
            try await app.phone.until("both are on the screen") { _ in app.notifications.count == 2 }
            try await app.tap(second)
            try await app.phone.until("the inbox has both") { _ in carillon.inbox.count == 2 }
            #expect(app.texts.contains("Opened: Parcel 2 is here"))

            try await backend.recall(first)
            try await app.phone.until("the first one is gone") { _ in
                carillon.inbox.map(\.message.identifier) == [second] && app.notifications.isEmpty
            }

            await carillon.signOut()
            #expect(carillon.inbox.isEmpty && carillon.user == nil)
            #expect(try await backend.deviceCount(of: "anna") == 0)
        }
    }

    @Test("whoever refuses notifications sees a banner inside the app")
    func banner() async throws {
        try await run { app, delegate, backend in
            let carillon = try #require(delegate.carillon)
            carillon.signIn()
            try await app.phone.until("anna is signed in") { _ in carillon.user == "anna" }
            try app.phone.settings.setNotificationsAllowed(false, for: app.bundleID)
            try await app.suspend()
            try await app.open()
            try await app.phone.until("the app knows") { _ in carillon.authorizationStatus == .denied }
            try await app.push(["aps": ["alert": ["title": "Parcel 3 is here"], "content-available": 1]])
            #expect(delegate.banner?.current?.title == "Parcel 3 is here")
        }
    }
}
