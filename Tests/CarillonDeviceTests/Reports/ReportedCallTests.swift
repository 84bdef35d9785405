import CallKit
import CarillonCore
import CarillonDevice
import Foundation
import PushKit
import Testing
import UIKit

/// Calls that developers reported, each with the address of the report.
@MainActor @Suite("Reported: calls") struct ReportedCallTests {
    private let id = "com.example.call"

    /// <https://github.com/QuickBlox/quickblox-ios-sdk/issues/1188>, <https://github.com/wireapp/wire-ios/pull/3060>,
    /// <https://github.com/twilio/voice-quickstart-ios/issues/251>
    @Test(
        "an app in the background that reports its call in a task is terminated; in front, or if the rule is off, it rings",
        arguments: [true, false], [true, false])
    func lateReport(_ isInFront: Bool, _ mustReportAtOnce: Bool) async throws {
        var rules = PhoneRules()
        rules.callsMustBeReportedAtOnce = mustReportAtOnce
        let bundle = AppBundle(
            bundleID: id, name: "Call", backgroundModes: [.voip], makeDelegate: { LateCallingApp() })
        try await AppUnderTest.run(bundle, rules: rules) { app in
            try await app.open()
            if !isInFront { try await app.suspend() }
            let push = try await app.push(["caller": "Zoë"], type: .voip)
            let ends = !isInFront && mustReportAtOnce
            #expect(app.phone.calls.current.map(\.state) == (ends ? [] : [.ringing]))
            #expect((app.state == .notRunning) == ends)
            #expect(push.notes.contains { $0.hasSuffix("before it returned from didReceiveIncomingPushWith") } == ends)
        }
    }
}

/// Reports each call in a task, as after a request to its server.
private final class LateCallingApp: UIResponder, UIApplicationDelegate, @preconcurrency PKPushRegistryDelegate,
    @preconcurrency CXProviderDelegate
{
    private let registry = PKPushRegistry(queue: nil)
    private let provider = CXProvider(configuration: CXProviderConfiguration())

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        return true
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        let caller = payload.dictionaryPayload["caller"] as? String
        Task { @MainActor in
            let update = CXCallUpdate()
            update.localizedCallerName = caller
            provider.reportNewIncomingCall(with: UUID(), update: update) { _ in completion() }
        }
    }

    func providerDidReset(_ provider: CXProvider) {}
}
