import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// A phone in a ``TestSystem`` with an app that uses Carillon, and a record of what the person has seen on it.
@MainActor
final class TestSystemPhone {
    let name: String
    let phone: Phone
    let transport: LossyTransport
    let log = EventLog()
    let callbackLog = HostApp.CallbackLog()
    let hasExtension: Bool
    private let hasMatches: Bool
    /// The origins of the notifications that alerted the person, in order, by the notification's identifier.
    private(set) var alerts: [String: [PushTrace.Origin]] = [:]
    /// The messages that were shown at some time.
    private(set) var seen: Set<String> = []
    /// Messages that the person has tapped here.
    var tapped: Set<String> = []
    private var tracesRead: Set<Int> = []

    private let service: InProcessService
    private let storage: URL

    /// The folder with the SDK's files on this phone.
    var sdkFolder: URL {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: storage.path)) ?? []
        let path = paths.first { $0.contains(name) && $0.hasSuffix("group.host/Carillon") }
        return storage.appending(path: path ?? "no folder of \(name)")
    }

    init(
        _ name: String, system: TestSystem, service: InProcessService, transport: LossyTransport,
        link: NetworkModelLink, storage: URL,
        hasExtension: Bool, hasMatches: Bool = false, skew: Duration, rules: PhoneRules
    ) {
        self.name = name
        self.transport = transport
        self.service = service
        self.storage = storage
        self.hasExtension = hasExtension
        self.hasMatches = hasMatches
        callbackLog.onWrite = { [runLog = system.runLog] in runLog.add("\(name): the app receives \($0)") }
        phone = Phone(
            configuration: PhoneConfiguration(
                id: name, name: name, clock: SkewedClock(system.clock, by: skew), storage: storage, seed: 1,
                rules: rules), link: link)
    }

    var carillon: Carillon? { (phone.delegate(of: InProcessService.topic) as? HostApp)?.carillon }

    // MARK: The app

    func install(user: String?) throws {
        guard let url = URL(string: "https://push.example.com") else { throw URLError(.badURL) }
        let configuration = Carillon.Configuration(
            service: url, topic: InProcessService.topic, environment: .sandbox,
            signInToken: { [service] in try user.map(service.signInToken) }, fetchesInbox: true,
            report: { [log] in log.add($0) })
        var plan = HostApp.Plan(configuration: configuration, transport: transport, callbackLog: callbackLog)
        plan.appGroup = "group.host"
        plan.randomness = SeededGenerator(seed: name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        plan.registersMatches = hasMatches
        let box = UncheckedPlan(plan: plan)
        var makeExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)?
        if hasExtension { makeExtension = { [transport] in TestSystemExtension(transport) } }
        var bundle = AppBundle(
            bundleID: InProcessService.topic, name: "Host", environment: .sandbox, appGroups: ["group.host"],
            makeDelegate: { HostApp(plan: box.plan) }, makeServiceExtension: makeExtension)
        if hasMatches {
            bundle.supportsLiveActivities = true
            bundle.liveActivities = [LiveActivityLayout(for: MatchOfRun.self)]
        }
        phone.install(bundle)
    }

    // MARK: What is shown

    var onScreen: [String] { phone.deliveredNotifications(of: InProcessService.topic).map(\.request.identifier) }

    /// The messages in the list, by Carillon's id, as often as they are there.
    var messagesOnScreen: [String] {
        phone.deliveredNotifications(of: InProcessService.topic).compactMap { notification in
            let key = notification.request.content.userInfo[CarillonKey.payloadKey] as? [String: Any]
            return key?["id"] as? String
        }
    }

    /// Reads which notifications were presented since the last call.
    func readTraces() {
        for trace in phone.traces where trace.presentation != nil && tracesRead.insert(trace.number).inserted {
            guard let id = trace.notificationID, let presentation = trace.presentation, presentation.isShown else {
                continue
            }
            seen.insert(id)
            if presentation.banner || presentation.sound != nil { alerts[id, default: []].append(trace.origin) }
        }
    }

    /// `@unchecked`: a plan is made by a test and only read afterwards, on the main thread.
    private struct UncheckedPlan: @unchecked Sendable { let plan: HostApp.Plan }
}

/// The app's service extension.
final class TestSystemExtension: CarillonServiceExtension {
    convenience init(_ transport: LossyTransport) {
        self.init()
        makeTransport = { _ in transport }
    }

    override var appGroup: String? { "group.host" }
    override var service: URL? { URL(string: "https://push.example.com") }
}

/// A phone's clock that goes wrong by a constant.
final class SkewedClock: CarillonClock {
    private let clock: ManualClock
    private let skew: Duration

    init(_ clock: ManualClock, by skew: Duration) {
        self.clock = clock
        self.skew = skew
    }

    var now: Timestamp { clock.now + skew }

    func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        clock.schedule(at: deadline - skew, action)
    }
}
