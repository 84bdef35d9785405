import CallKit
import CarillonDevice
import Foundation
import PushKit
import Testing
import UIKit

/// The metadata of a VoIP push, for apps with the method of iOS 26.4.
@MainActor @Suite("The metadata of a VoIP push") struct CallMetadataTests {
    private let id = "com.example.metadata"

    private func run(
        _ form: MetadataApp.Form, reports: Bool = false, _ body: @MainActor (AppUnderTest, CallLog) async throws -> Void
    ) async throws {
        let callLog = CallLog()
        let bundle = AppBundle(
            bundleID: id, name: "Call", backgroundModes: [.voip],
            makeDelegate: { MetadataApp(form, callLog, reports: reports) })
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            try await body(app, callLog)
        }
    }

    @Test("in the foreground an app need not report a call, and goes on", arguments: MetadataApp.Form.allCases)
    func foreground(_ form: MetadataApp.Form) async throws {
        try await run(form) { app, callLog in
            let push = try await app.push(["caller": "Zoë"], type: .voip)
            #expect(callLog.lines == ["must report: false"] && push.notes == [])
            #expect(app.state == .foregroundActive && push.wake?.answer == .handled)
        }
    }

    @Test("in the background it must, or iOS terminates it", arguments: MetadataApp.Form.allCases)
    func background(_ form: MetadataApp.Form) async throws {
        try await run(form) { app, callLog in
            try await app.suspend()
            let push = try await app.push(["caller": "Zoë"], type: .voip)
            #expect(callLog.lines == ["must report: true"] && app.state == .notRunning)
            #expect(push.notes.contains { $0.contains("has not reported a call to CallKit") })
        }
    }

    @Test("during a call it need not report a second one", arguments: MetadataApp.Form.allCases)
    func duringCall(_ form: MetadataApp.Form) async throws {
        try await run(form, reports: true) { app, callLog in
            try await app.suspend()
            try await app.push(["caller": "Zoë"], type: .voip)
            #expect(app.phone.calls.current.map(\.state) == [.ringing])
            try await app.phone.value(in: id) { app.delegate(as: MetadataApp.self)?.reports = false }
            try await app.push(["caller": "Kim"], type: .voip)
            #expect(callLog.lines == ["must report: true", "must report: false"] && app.state == .background)
        }
    }
}

/// Writes down what the metadata of each push says, and reports a call if it is told to.
final class MetadataApp: UIResponder, UIApplicationDelegate, @preconcurrency CXProviderDelegate {
    enum Form: CaseIterable { case completion, async }

    var reports: Bool
    private let callLog: CallLog
    private let registry = PKPushRegistry(queue: nil)
    private let provider = CXProvider(configuration: CXProviderConfiguration())
    private var listener: (any PKPushRegistryDelegate)?

    init(_ form: Form, _ callLog: CallLog, reports: Bool) {
        self.callLog = callLog
        self.reports = reports
        super.init()
        listener = form == .completion ? CompletionListener(self) : AsyncListener(self)
    }

    override convenience init() { self.init(.completion, CallLog(), reports: true) }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        provider.setDelegate(self, queue: nil)
        registry.delegate = listener
        registry.desiredPushTypes = [.voIP]
        return true
    }

    func received(_ metadata: PKVoIPPushMetadata) {
        callLog.write("must report: \(metadata.mustReport)")
        guard reports else { return }
        provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate()) { _ in }
    }

    func providerDidReset(_ provider: CXProvider) {}
}

private final class CompletionListener: NSObject, @preconcurrency PKPushRegistryDelegate {
    @MainActor private weak var app: MetadataApp?

    @MainActor init(_ app: MetadataApp) { self.app = app }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {}

    @MainActor func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        app?.received(metadata)
        completion()
    }
}

private final class AsyncListener: NSObject, @preconcurrency PKPushRegistryDelegate {
    @MainActor private weak var app: MetadataApp?

    @MainActor init(_ app: MetadataApp) { self.app = app }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) {}

    @MainActor func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async { app?.received(metadata) }
}
