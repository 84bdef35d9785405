import AVFAudio
import CallKit
import CarillonCore
import CarillonDevice
import Foundation
import PushKit
import Testing
import UIKit
import UserNotifications

/// Calls that a service extension finds in a push, what may be heard when, and whose token is whose.
@MainActor @Suite("Calls, with an extension, a sound and a push service") struct CallExtensionTests {
    private let id = "com.example.ring"

    private func bundle(
        _ callLog: CallLog, entitlements: Set<AppBundle.Entitlement> = [.filtering],
        makeExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil
    ) -> AppBundle {
        AppBundle(
            bundleID: id, name: "Ring", backgroundModes: [.voip], entitlements: entitlements,
            makeDelegate: { RingingApp(callLog) }, makeServiceExtension: makeExtension)
    }

    @Test("a call that a service extension finds launches the app, which reports it; nothing else is shown")
    func found() async throws {
        let callLog = CallLog()
        try await AppUnderTest.run(bundle(callLog, makeExtension: { FindingExtension(callLog) })) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.forceQuit()
            try await app.push(["aps": ["alert": "sealed", "mutable-content": 1], "from": "Zoë", "line": 2])
            #expect(app.phone.calls.current.map(\.name) == ["Zoë 2"] && app.notifications.isEmpty)
            #expect(app.state == .background && callLog.lines.contains("asked: nil"))
        }
    }

    @Test("an extension without the entitlement, an app, and what JSON cannot hold are refused")
    func refused() async throws {
        let callLog = CallLog()
        let missing = CXErrorCodeNotificationServiceExtensionError.missingNotificationFilteringEntitlement.rawValue
        let invalid = CXErrorCodeNotificationServiceExtensionError.invalidClientProcess.rawValue
        let extensionOnly = bundle(callLog, entitlements: [], makeExtension: { FindingExtension(callLog) })
        try await AppUnderTest.run(extensionOnly) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.push(["aps": ["alert": "sealed", "mutable-content": 1], "from": "Zoë"])
            #expect(app.phone.calls.current.isEmpty && callLog.lines.contains("asked: \(missing)"))
            try await app.phone.value(in: id) {
                CXProvider.reportNewIncomingVoIPPushPayload(["from": "me"]) { error in
                    let code = (error as? CXErrorCodeNotificationServiceExtensionError)?.errorCode ?? -1
                    MainActor.assumeIsolated { callLog.write("the app: \(code)") }
                }
            }
            try await app.phone.settled()
            #expect(app.phone.calls.current.isEmpty && callLog.lines.last == "the app: \(invalid)")
            try await app.phone.value(in: id) {
                _ = Task {
                    do {
                        try await CXProvider.reportNewIncomingVoIPPushPayload(["from": "me"])
                    } catch {
                        let code = (error as? CXErrorCodeNotificationServiceExtensionError)?.errorCode ?? -1
                        callLog.write("thrown: \(code)")
                    }
                }
            }
            try await app.phone.settled()
            #expect(callLog.lines.last == "thrown: \(invalid)")
            try await app.push([
                "aps": ["alert": "sealed", "mutable-content": 1], "from": .string(FindingExtension.date),
            ])
            #expect(callLog.lines.contains("asked: 0"))
        }
    }

    @Test("the audio session is active from the answer to the end, and never for a call that is declined")
    func audio() async throws {
        let callLog = CallLog()
        try await AppUnderTest.run(bundle(callLog)) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            try await app.push(["from": "Ada"], type: .voip)
            try await app.phone.calls.decline()
            try await app.phone.settled()
            #expect(!callLog.lines.contains { $0.hasPrefix("sound") })
            try await app.push(["from": "Ada"], type: .voip)
            try await app.phone.calls.answer()
            try await app.phone.settled()
            #expect(callLog.lines.last == "sound: playAndRecord voiceChat")
            try await app.phone.calls.hangUp()
            try await app.phone.settled()
            #expect(callLog.lines.last == "silence")
        }
    }

    @Test("of two calls that ring only the one that is answered may be heard, and the other ends in silence")
    func twoCalls() async throws {
        let callLog = CallLog()
        try await AppUnderTest.run(bundle(callLog)) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            for caller in ["Zoë", "Ada"] { try await app.push(["from": .string(caller)], type: .voip) }
            let calls = app.phone.calls.current
            let (first, second) = (try #require(calls.first), try #require(calls.last))
            #expect(calls.count == 2 && first.id != second.id)
            try await app.phone.calls.answer(second.id)
            try await app.phone.settled()
            try await app.phone.calls.decline(first.id)
            try await app.phone.settled()
            let sounds = callLog.lines.filter { $0.hasPrefix("sound") || $0 == "silence" }
            #expect(sounds == ["sound: playAndRecord voiceChat"])
        }
    }

    @Test("a push service gives a token of its own for calls, under the topic of calls, and both end with the app")
    func token() async throws {
        let (callLog, link) = (CallLog(), TokenLink())
        try await TestPhone.run(link: link) { test in
            test.phone.install(bundle(callLog))
            try await test.phone.openApp(id)
            await test.phone.run(in: id) { UIApplication.shared.registerForRemoteNotifications() }
            try await test.phone.until("both tokens are there") {
                $0.deviceToken(of: id) != nil && $0.voIPToken(of: id) != nil
            }
            let tokens = [test.phone.deviceToken(of: id), test.phone.voIPToken(of: id)].compactMap(\.self)
            #expect(Set(tokens).count == 2 && Set(link.topics) == [id, id + ".voip"])
            try await test.phone.uninstall(id)
            #expect(Set(link.invalidated) == Set(tokens))
        }
    }
}

/// Reports each VoIP push as a call, and answers what it is asked.
final class RingingApp: UIResponder, UIApplicationDelegate, @preconcurrency PKPushRegistryDelegate,
    @preconcurrency CXProviderDelegate
{
    private let callLog: CallLog
    private let registry = PKPushRegistry(queue: nil)
    private let provider = CXProvider(configuration: CXProviderConfiguration())

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    override convenience init() { self.init(CallLog()) }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
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
        let line = payload.dictionaryPayload["line"] as? Int
        update.localizedCallerName =
            (payload.dictionaryPayload["from"] as? String ?? "?") + (line.map { " \($0)" } ?? "")
        provider.reportNewIncomingCall(with: UUID(), update: update) { _ in completion() }
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        let known: [AVAudioSession.Category: String] = [.playAndRecord: "playAndRecord"]
        callLog.write(
            "sound: \(known[audioSession.category] ?? "?") \(audioSession.mode == .voiceChat ? "voiceChat" : "?")")
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { callLog.write("silence") }
}

/// Has the app handle a call, and shows nothing itself.
final class FindingExtension: UNNotificationServiceExtension {
    /// Has it report what JSON cannot hold.
    static let date = "a date"
    private let callLog: CallLog

    @MainActor init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        var call = request.content.userInfo.filter { $0.key as? String != "aps" }
        if call["from"] as? String == Self.date { call["at"] = Date.distantPast }
        let callLog = callLog
        nonisolated(unsafe) let answer = contentHandler
        CXProvider.reportNewIncomingVoIPPushPayload(call) { error in
            let code = (error as? CXErrorCodeNotificationServiceExtensionError)?.errorCode
            MainActor.assumeIsolated { callLog.write("asked: \(code.map { "\($0)" } ?? "nil")") }
            answer(UNNotificationContent())
        }
    }
}
