import CarillonDevice
import CarillonExplain
import Foundation
import Logging
import NIOCore
import Testing
import UIKit
import UserNotifications

@testable import CarillonAPNs
@testable import CarillonCore
@testable import CarillonPhones
@testable import CarillonServer
@testable import CarillonSimulator

/// One corpus through everything that judges payloads: the simulated APNs, `carillon validate`, the page's checker, the
/// client, the service and a phone.
@Suite("Everything that judges a payload says one thing", .timeLimit(.minutes(5))) struct PayloadAgreementTests {
    private static let topic = "com.example.chime"

    private func explain(_ entry: PayloadCorpus.Entry, isStrict: Bool = false) -> PayloadExplanation {
        PayloadExplanation(of: entry.data, pushType: entry.pushType, isStrict: isStrict)
    }

    private func ignored(_ explanation: PayloadExplanation) -> [String] {
        explanation.lines.filter { $0.meaning.hasPrefix("Ignored by the phone: ") }.map(\.key).sorted()
    }

    @Test("the corpus is large, and has every push type accepted and refused")
    func size() {
        #expect(PayloadCorpus.all.count >= 300)
        for type in PushType.allCases {
            let reasons = Set(PayloadCorpus.all.filter { $0.pushType == type }.map { explain($0).reason })
            #expect(reasons == [nil, "PayloadEmpty", "PayloadTooLarge"], "\(type)")
        }
    }

    @Test("the simulated APNs and validate, lenient and strict", arguments: [false, true])
    func simulator(_ isStrict: Bool) {
        for entry in PayloadCorpus.all {
            var reason: String?
            do throws(Rejection) {
                _ = try BodyCheck.check(
                    ByteBuffer(bytes: entry.data), byteCount: entry.data.count, rule: entry.pushType.rule,
                    bundleID: Self.topic, isStrict: isStrict)
            } catch {
                reason = error.reason.rawValue
            }
            let explanation = explain(entry, isStrict: isStrict)
            #expect(explanation.reason == reason, "\(entry)")
            #expect(explanation.isUsable || explanation.lines.contains { $0.severity == .error }, "\(entry)")
            let isNothing = explanation.summary.first?.hasPrefix("Nothing happens: APNs answers") == true
            #expect(isNothing == (reason != nil), "\(entry)")
        }
    }

    // The page takes text, so bytes that are no UTF-8 cannot be typed there.
    @Test("the page's checker says what validate says")
    func page() throws {
        for entry in PayloadCorpus.all {
            guard let text = String(validating: entry.data, as: UTF8.self) else { continue }
            let question: JSONValue = ["payload": .string(text), "push_type": .string(entry.pushType.rawValue)]
            #expect(try PayloadCheck(question).explanation == explain(entry), "\(entry)")
        }
    }

    // The client reads no payload: it refuses for their size alone.
    @Test("the client refuses what APNs refuses for its size, and passes the rest on")
    func client() throws {
        for entry in PayloadCorpus.all {
            let isRefused = (try? NotificationRules.check(Self.notification(entry, Data([1])), usesTokens: true)) == nil
            let isWrongInSize = explain(entry).reason == "PayloadTooLarge" || entry.data.isEmpty
            #expect(isRefused == isWrongInSize, "\(entry)")
        }
    }

    // It writes the payload anew, without keys that say nothing; so its own bytes are explained. Of background pushes it
    // demands Apple's rules, for which validate has warnings.
    @Test("a typed payload is refused where APNs' strict rules refuse it, or a background push breaks Apple's")
    func typedPayload() throws {
        for entry in PayloadCorpus.all {
            guard let json = try? JSONValue(parsing: entry.data), let payload = try? Payload(json: json),
                let data = try? payload.encoded()
            else { continue }
            let isRefused = (try? payload.validated(for: entry.pushType)) == nil
            let explanation = PayloadExplanation(of: data, pushType: entry.pushType, isStrict: true)
            let demands = ["aps.alert", "aps.badge", "aps.sound", "aps.content-available"]
            let breaksRules =
                entry.pushType == .background
                && explanation.lines.contains { $0.severity == .warning && demands.contains($0.key) }
            #expect(isRefused == (explanation.reason != nil || breaksRules), "\(entry)")
        }
    }

    // It reads strictly, so that a sender hears of a mistake: what a phone would overlook is refused. Beyond that it refuses
    // repeated names, Carillon's own key, and no payload at all; its own word "auto" stands for a badge.
    @Test("the service refuses exactly the keys that a phone would ignore, and knows what shows nothing")
    func service() throws {
        for entry in PayloadCorpus.all where entry.pushType == .alert {
            guard let json = try? JSONValue(parsingUnambiguous: entry.data), let members = json.objectValue,
                members[CarillonKey.payloadKey] == nil, json["aps"]?["badge"] != "auto"
            else { continue }
            let explanation = explain(entry)
            var body = try ObjectReader(["payload": json], pointer: "")
            let sent = try? MessageRequest.payload(&body)
            let isNoDictionary = members["aps"] != nil && members["aps"]?.objectValue == nil
            #expect((sent == nil) == (!ignored(explanation).isEmpty || isNoDictionary), "\(entry)")
            guard let sent, explanation.reason == nil else { continue }
            #expect(sent.isVisible == (explanation.summary.first != "Shows nothing."), "\(entry)")
        }
    }

    // Device-management pushes need a certificate of their own, and the client refuses wrong sizes before it sends.
    @Test("over the network, APNs answers what validate says")
    func network() async throws {
        let clock = ManualClock(start: Timestamp(secondsSince1970: 1_790_000_000))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let simulator = try await APNsSimulator.start(
            SimulatorConfiguration(clock: clock, seed: 7, topics: [Self.topic]), logger: logger)
        let key = try APNsSigningKey(pem: simulator.signingKeyPEM, keyID: simulator.keyID, teamID: simulator.teamID)
        let client = try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: simulator.host, port: simulator.port), credential: .signingKey(key),
                trustRoots: .pem(simulator.caCertificatePEM), clock: clock, seed: 1, defaultDeadline: .seconds(120)),
            logger: logger)
        let token = simulator.devices.issueToken(device: "phone", topic: Self.topic, environment: .sandbox)
        for entry in PayloadCorpus.all where entry.pushType != .mdm {
            let notification = try Self.notification(entry, token)
            guard (try? NotificationRules.check(notification, usesTokens: true)) != nil else { continue }
            let reason: String? =
                switch try await client.send(notification) {
                case .accepted: nil
                case .rejected(let rejection): rejection.reason.rawValue
                }
            #expect(explain(entry).reason == reason, "\(entry)")
        }
        await client.shutdown()
        await simulator.shutdown()
    }

    private static func notification(_ entry: PayloadCorpus.Entry, _ token: Data) throws -> APNsNotification {
        APNsNotification(
            deviceToken: try #require(DeviceToken(token)),
            topic: APNsNotification.topic(bundleID: topic, pushType: entry.pushType), pushType: entry.pushType,
            payload: APNsPayload(entry.data), apnsID: UUID())
    }

    // A phone is asked about what APNs takes: alerts and background pushes. The others it does not show, and calls have tests
    // of their own.
    @Test("a phone shows, wakes and ignores what validate says")
    @MainActor func phone() async throws {
        try await AppUnderTest.run({ CorpusApp() }) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.suspend()
            var shown = 0
            for (number, entry) in PayloadCorpus.all.enumerated()
            where [.alert, .background].contains(entry.pushType) {
                let explanation = explain(entry)
                guard explanation.isUsable else {
                    await #expect(throws: PhoneError.self, "\(entry)") {
                        try await app.push(entry.data, type: entry.pushType)
                    }
                    continue
                }
                let id = "\(number)"
                let trace = try await app.push(entry.data, type: entry.pushType, collapseID: id)
                #expect(trace.isFinished, "\(entry)")
                #expect((trace.presentation?.isShown == true) == (explanation.shown != nil), "\(entry)")
                #expect((trace.wake != nil) == explanation.summary.contains { $0.hasPrefix("Wakes") }, "\(entry)")
                let notes = trace.notes.filter { $0.hasPrefix("ignored: ") }
                let names = notes.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
                #expect(names.sorted() == ignored(explanation), "\(entry): \(notes)")
                let content = app.notifications.first { $0.request.identifier == id }?.request.content
                guard let content else { continue }
                shown += 1
                let text = explanation.shown.map { [$0.title, $0.subtitle, $0.body] }
                #expect(text == [content.title, content.subtitle, content.body], "\(entry)")
            }
            // A badge that goes to 0 clears the list, at once.
            #expect(shown > 100)
        }
    }
}

/// Asks for permission, and answers each wake at once.
private final class CorpusApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.newData)
    }
}
