import CallKit
import CarillonDevice
import Foundation
import PushKit
import Testing
import UIKit

/// Calls: PushKit, CallKit and what iOS demands of an app that gets a VoIP push.
@MainActor @Suite("Calls") struct CallTests {
    private let id = "com.example.call"
    private let ring: JSONValue = ["caller": "Zoë 📞"]

    private func run(
        modes: Set<AppBundle.BackgroundMode> = [.voip], rules: PhoneRules = PhoneRules(),
        reports: Bool = true, completes: Bool = true, answers: Bool = true,
        _ body: @MainActor (AppUnderTest, CallLog) async throws -> Void
    ) async throws {
        let callLog = CallLog()
        let bundle = AppBundle(
            bundleID: id, name: "Call", backgroundModes: modes,
            makeDelegate: { CallingApp(callLog, reports: reports, completes: completes, answers: answers) })
        try await AppUnderTest.run(bundle, rules: rules) { app in
            try await app.open()
            try await body(app, callLog)
        }
    }

    @Test("an app with the background mode gets a token of its own kind, anew at each launch")
    func token() async throws {
        try await run { app, callLog in
            let token = try #require(app.phone.voIPToken(of: id))
            #expect(callLog.lines == ["token: \(token.count)"] && app.phone.deviceToken(of: id) == nil)
            try app.phone.system.terminate(id)
            try await app.open()
            #expect(callLog.lines.count == 2 && app.phone.voIPToken(of: id) == token)
            try await app.phone.value(in: id) { app.delegate(as: CallingApp.self)?.registry.desiredPushTypes = [] }
            try await app.phone.settled()
            #expect(callLog.lines.last == "token invalid" && app.phone.voIPToken(of: id) == nil)
        }
        try await run(modes: []) { app, callLog in #expect(callLog.lines == []) }
    }

    @Test("a push launches even an app that was force-quit; the call rings, is answered, and hung up")
    func call() async throws {
        try await run { app, callLog in
            try await app.forceQuit()
            await app.phone.lock()
            let push = try await app.push(ring, type: .voip)
            #expect(push.wake?.kind == .launched && push.wake?.answer == .handled && push.isFinished)
            let call = try #require(app.phone.calls.current.first)
            #expect(call.state == .ringing && call.name == "Zoë 📞" && call.handle == "+41" && !call.isOutgoing)
            #expect(app.state == .background, "it runs while the call lasts")
            try await app.phone.calls.answer()
            try await app.phone.settled()
            #expect(app.phone.calls.current.first?.state == .active)
            try await app.advance(by: .seconds(600))
            #expect(app.state == .background)
            try await app.phone.calls.hangUp()
            try await app.phone.settled()
            #expect(app.phone.calls.current.isEmpty && app.phone.calls.ended.first?.state == .ended(.hungUp))
            #expect(app.state == .suspended)
            #expect(callLog.lines.suffix(3) == ["incoming", "answer", "end"])
        }
    }

    @Test("a call that rings is declined; there is no other to decline")
    func declined() async throws {
        try await run { app, _ in
            await #expect(throws: PhoneError.self) { try await app.phone.calls.decline() }
            try await app.push(ring, type: .voip)
            await #expect(throws: PhoneError.self) { try await app.phone.calls.hangUp() }
            await #expect(throws: PhoneError.self) { try await app.phone.calls.answer(UUID()) }
            try await app.phone.calls.decline()
            try await app.phone.settled()
            #expect(app.phone.calls.ended.map(\.state) == [.ended(.declined)])
        }
    }

    @Test(
        "an app that does not report a call is terminated, also in the foreground, and again and again gets no more pushes"
    )
    func unreported() async throws {
        var rules = PhoneRules()
        rules.unreportedCallsUntilPushesStop = 2
        try await run(rules: rules, reports: false) { app, _ in
            let first = try await app.push(ring, type: .voip)
            #expect(app.state == .notRunning && first.notes.contains { $0.contains("reportNewIncomingCall") })
            #expect(try await app.push(ring, type: .voip).wake?.kind == .launched)
            let third = try await app.push(ring, type: .voip)
            #expect(third.wake?.kind == .notWoken && third.wake?.why.contains("has stopped its VoIP pushes") == true)
        }
    }

    @Test(
        "an app that neither reports nor completes is terminated at once, or when its time is over if the rule is off",
        arguments: [true, false])
    func neither(_ mustReportAtOnce: Bool) async throws {
        var rules = PhoneRules()
        rules.callsMustBeReportedAtOnce = mustReportAtOnce
        try await run(rules: rules, reports: false, completes: false) { app, _ in
            try await app.suspend()
            let push = try await app.push(ring, type: .voip)
            #expect(push.isFinished == mustReportAtOnce)
            #expect(app.state == (mustReportAtOnce ? .notRunning : .background))
            try await app.advance(by: .seconds(30))
            #expect(app.state == .notRunning)
        }
    }

    @Test("an action that the app neither fulfils nor fails ends after as many seconds as the number says")
    func slowAction() async throws {
        var rules = PhoneRules()
        rules.callActionSeconds = 4
        try await run(rules: rules, answers: false) { app, _ in
            try await app.push(ring, type: .voip)
            try await app.phone.calls.answer()
            try await app.advance(by: .seconds(3))
            #expect(!app.phone.traces.flatMap(\.notes).contains { $0.contains("within 4 s") })
            try await app.advance(by: .seconds(1))
            #expect(app.phone.traces.flatMap(\.notes).contains { $0.contains("was not called within 4 s") })
        }
    }

    @Test("in a Focus the app is told that the call is not shown, which counts as reported")
    func focus() async throws {
        try await run { app, callLog in
            app.phone.settings.setFocus(true)
            try await app.push(ring, type: .voip)
            #expect(app.phone.calls.current.isEmpty && app.state == .foregroundActive)
            #expect(
                callLog.lines.last == "refused: \(CXErrorCodeIncomingCallError.Code.filteredByDoNotDisturb.rawValue)")
        }
    }

    @Test("a Focus lets the call of a person ring whom it allows, by the caller's handle")
    func allowedInFocus() async throws {
        try await run { app, callLog in
            app.phone.settings.setFocus(true)
            app.phone.settings.allowInFocus("+49")
            try await app.push(ring, type: .voip)
            #expect(app.phone.calls.current.isEmpty)
            app.phone.settings.allowInFocus("+41")
            try await app.push(ring, type: .voip)
            #expect(app.phone.calls.current.map(\.state) == [.ringing] && callLog.lines.last == "incoming")
        }
    }

    @Test("the app calls somebody, and the other side ends it; what is unknown is refused")
    func outgoing() async throws {
        try await run { app, callLog in
            let call = UUID()
            try await app.phone.value(in: id) {
                let controller = CXCallController()
                controller.request(CXTransaction(action: CXEndCallAction(call: call))) { error in
                    let code = (error as? CXErrorCodeRequestTransactionError)?.code.rawValue ?? -1
                    MainActor.assumeIsolated { callLog.write("refused: \(code)") }
                }
                let handle = CXHandle(type: .phoneNumber, value: "+49")
                controller.request(CXTransaction(action: CXStartCallAction(call: call, handle: handle))) { error in
                    let isTaken = error == nil
                    MainActor.assumeIsolated { callLog.write(isTaken ? "requested" : "refused") }
                }
            }
            try await app.phone.settled()
            #expect(callLog.lines.suffix(3) == ["refused: 4", "requested", "start +49"])
            #expect(
                app.phone.calls.current.first?.isOutgoing == true && app.phone.calls.current.first?.state == .connecting
            )
            try await app.phone.value(in: id) {
                let provider = app.delegate(as: CallingApp.self)?.provider
                provider?.reportOutgoingCall(with: call, connectedAt: nil)
                provider?.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
            }
            try await app.phone.settled()
            #expect(app.phone.calls.ended.first?.state == .ended(.remoteEnded))
        }
    }
}

final class CallingApp: UIResponder, UIApplicationDelegate, @preconcurrency PKPushRegistryDelegate,
    @preconcurrency CXProviderDelegate
{
    let callLog: CallLog
    let registry: PKPushRegistry
    let provider = CXProvider(configuration: CXProviderConfiguration())
    private let reports: Bool
    private let completes: Bool
    private let answers: Bool

    init(_ callLog: CallLog, reports: Bool, completes: Bool, answers: Bool) {
        self.callLog = callLog
        self.answers = answers
        self.reports = reports
        self.completes = completes
        registry = PKPushRegistry(queue: nil)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    override convenience init() { self.init(CallLog(), reports: true, completes: true, answers: true) }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        return true
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
    ) { callLog.write("token: \(pushCredentials.token.count)") }

    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        callLog.write("token invalid")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        callLog.write("incoming")
        if reports {
            let update = CXCallUpdate()
            update.localizedCallerName = payload.dictionaryPayload["caller"] as? String
            update.remoteHandle = CXHandle(type: .phoneNumber, value: "+41")
            provider.reportNewIncomingCall(with: UUID(), update: update) { [callLog] error in
                guard let error = error as? CXErrorCodeIncomingCallError else { return }
                MainActor.assumeIsolated { callLog.write("refused: \(error.code.rawValue)") }
            }
        }
        if completes { completion() }
    }

    func providerDidReset(_ provider: CXProvider) { callLog.write("reset") }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        callLog.write("answer")
        if answers { action.fulfill() }
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        callLog.write("end")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        callLog.write("start \(action.handle.value)")
        action.fulfill()
    }
}
