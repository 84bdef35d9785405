import CallKit
import CarillonCore
import CarillonDevice
import Foundation
import PushKit
import Testing
import UIKit
import UserNotifications

/// A call, from a provider through APNs to the app's registry.
@MainActor @Suite("Calls through APNs", .serialized) struct CallTokenTests {
    private let topic = "com.example.line"

    @Test("the token for calls is one of its own: a call sent to it rings, and a notification is refused")
    func rings() async throws {
        try await ServiceAndPhone.run(topic: topic) { _ in
            AppBundle(
                bundleID: topic, name: "Line", environment: .sandbox, backgroundModes: [.voip, .remoteNotification],
                makeDelegate: { LineApp() })
        } body: { app, backend in
            try await app.openAndAllow()
            try await app.phone.until("both tokens are there") {
                $0.deviceToken(of: topic) != nil && $0.voIPToken(of: topic) != nil
            }
            #expect(app.phone.deviceToken(of: topic) != app.phone.voIPToken(of: topic))
            try await app.forceQuit()
            try await backend.push(#"{"caller": "Zoë"}"#, toCallsOf: app)
            try await app.phone.until("it rings") { $0.calls.current.map(\.name) == ["Zoë"] }
            try await app.phone.calls.answer()
            try await app.phone.settled()
            #expect(app.phone.calls.current.map(\.state) == [.active])
            await #expect(throws: URLError.self) {
                try await backend.push(#"{"aps": {"alert": "A"}}"#, .alert, toCallsOf: app)
            }
        }
    }
}

final class LineApp: UIResponder, UIApplicationDelegate, @preconcurrency PKPushRegistryDelegate,
    @preconcurrency CXProviderDelegate
{
    private let registry = PKPushRegistry(queue: nil)
    private let provider = CXProvider(configuration: CXProviderConfiguration())

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        provider.setDelegate(self, queue: nil)
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        application.registerForRemoteNotifications()
        return true
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        let update = CXCallUpdate()
        update.localizedCallerName = payload.dictionaryPayload["caller"] as? String
        provider.reportNewIncomingCall(with: UUID(), update: update) { _ in completion() }
    }

    func providerDidReset(_ provider: CXProvider) {}
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fulfill() }
}
