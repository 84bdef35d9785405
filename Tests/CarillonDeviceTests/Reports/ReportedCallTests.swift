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

    /// Runs a test with an app that reports every call at once; the call's ID and whether it can be held are in the push.
    private func run(_ body: @MainActor (AppUnderTest, CallLog) async throws -> Void) async throws {
        let callLog = CallLog()
        let bundle = AppBundle(
            bundleID: id, name: "Call", backgroundModes: [.voip], makeDelegate: { HoldingApp(callLog) })
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            try await body(app, callLog)
        }
    }

    private func ring(_ call: UUID, holds: Bool = true, in app: AppUnderTest) async throws {
        try await app.push(["id": .string(call.uuidString), "holds": .bool(holds)], type: .voip)
    }

    /// <https://github.com/BelledonneCommunications/linphone-iphone/issues/217>,
    /// <https://github.com/hiennguyen92/flutter_callkit_incoming/issues/346>
    @Test("answering a second call puts the first on hold, or ends it if it cannot be held", arguments: [true, false])
    func secondCall(_ holds: Bool) async throws {
        try await run { app, callLog in
            let (first, second) = (UUID(), UUID())
            try await ring(first, holds: holds, in: app)
            try await app.phone.calls.answer()
            try await app.phone.settled()
            try await ring(second, in: app)
            try await app.phone.calls.answer(second)
            try await app.phone.settled()
            #expect(callLog.lines == ["answer", holds ? "hold" : "end", "answer"])
            let current = app.phone.calls.current
            #expect(current.map(\.id) == (holds ? [first, second] : [second]))
            #expect(current.filter { $0.state == .active && !$0.isOnHold }.map(\.id) == [second])
        }
    }

    /// <https://github.com/hiennguyen92/flutter_callkit_incoming/issues/794>
    @Test("a second call goes on ringing when the other side ends the first, and can then be answered")
    func firstEnds() async throws {
        try await run { app, _ in
            let (first, second) = (UUID(), UUID())
            try await ring(first, in: app)
            try await app.phone.calls.answer()
            try await app.phone.settled()
            try await ring(second, in: app)
            try await app.phone.value(in: id) {
                app.delegate(as: HoldingApp.self)?.provider.reportCall(with: first, endedAt: nil, reason: .remoteEnded)
            }
            try await app.phone.settled()
            #expect(app.phone.calls.current.map(\.id) == [second])
            try await app.phone.calls.answer()
            try await app.phone.settled()
            #expect(app.phone.calls.current.map(\.state) == [.active])
        }
    }

    /// <https://github.com/react-native-webrtc/react-native-callkeep/pull/86>
    ///
    /// Not as reported of one version of that library, where the end was asked for before the answer.
    @Test("answering on the lock screen asks the killed app for the answer alone, and the call goes on")
    func answeredOnce() async throws {
        try await run { app, callLog in
            try await app.suspend()
            try app.phone.system.terminate(id)
            await app.phone.lock()
            let call = UUID()
            try await ring(call, in: app)
            try await app.phone.calls.answer(call)
            try await app.phone.settled()
            try await app.advance(by: .seconds(60))
            #expect(callLog.lines == ["answer"])
            #expect(app.phone.calls.current.map(\.state) == [.active])
        }
    }

    /// <https://github.com/opentok/CallKit/issues/31>, <https://github.com/react-native-webrtc/react-native-callkeep/issues/597>
    @Test("a caller who hangs up before the answer stops the ringing, and the app is not asked to end the call")
    func hangsUpBefore() async throws {
        try await run { app, callLog in
            try await app.suspend()
            let call = UUID()
            try await ring(call, in: app)
            #expect(app.state == .background)
            try await app.phone.value(in: id) {
                app.delegate(as: HoldingApp.self)?.provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
            }
            try await app.phone.settled()
            #expect(app.phone.calls.current.isEmpty && callLog.lines == [])
            #expect(app.phone.calls.ended.map(\.state) == [.ended(.remoteEnded)])
            await #expect(throws: PhoneError.self) { try await app.phone.calls.answer(call) }
        }
    }
}

/// Reports each call at once, and does what the person asks for.
private final class HoldingApp: UIResponder, UIApplicationDelegate, @preconcurrency PKPushRegistryDelegate,
    @preconcurrency CXProviderDelegate
{
    let provider = CXProvider(configuration: CXProviderConfiguration())
    private let registry = PKPushRegistry(queue: nil)
    private let callLog: CallLog

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override convenience init() { self.init(CallLog()) }

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
        let update = CXCallUpdate()
        update.supportsHolding = payload.dictionaryPayload["holds"] as? Bool ?? true
        let call = (payload.dictionaryPayload["id"] as? String).flatMap(UUID.init)
        provider.reportNewIncomingCall(with: call ?? UUID(), update: update) { _ in completion() }
    }

    func providerDidReset(_ provider: CXProvider) {}

    private func did(_ name: String, _ action: CXAction) {
        callLog.write(name)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { did("answer", action) }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { did("end", action) }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { did("hold", action) }
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
