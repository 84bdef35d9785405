import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// An app's delegate, as far as a test must know it to wait for its SDK.
@MainActor protocol AppWithCarillon: AnyObject {
    var carillon: Carillon? { get }
}

/// A phone on a manual clock, with an app that uses Carillon, and a service whose answers the test decides.
@MainActor
final class AppFixture {
    static let bundleID = "com.example.host"
    private static var lastNumber = 0

    /// Runs overdue actions by itself: a loop without a pause fails the test.
    let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000), overdueLimit: 200)
    /// The phone's own, which the person may set.
    let phoneClock: SettableClock
    let phone: Phone
    let service: StubService
    let log = EventLog()
    let callbackLog = HostApp.CallbackLog()
    /// Whether ``storeFiles`` counts what an app reads and writes that is launched from now on.
    var countsStoreFiles = false
    private(set) var storeFiles: CountingFiles?
    let storage: URL
    /// The widgets and controls of an app that is installed from now on.
    var widgets: [WidgetLayout] = []
    var controls: [ControlLayout] = []

    private init(serviceLead: Duration, rules: PhoneRules, screen: ScreenShape) {
        Self.lastNumber += 1
        storage = FileManager.default.temporaryDirectory.appending(
            path: "carillon-app-\(ProcessInfo.processInfo.processIdentifier)-\(Self.lastNumber)")
        phoneClock = SettableClock(clock)
        phone = Phone(
            configuration: PhoneConfiguration(
                id: "sdk-\(Self.lastNumber)", name: "Test phone", clock: phoneClock, storage: storage, seed: 1,
                rules: rules, screen: screen)
        )
        service = StubService(clock: clock, lead: serviceLead)
    }

    /// Runs a test on a phone of its own, and cleans up after it whatever happens.
    static func run(
        serviceLead: Duration = .zero, rules: PhoneRules = PhoneRules(), screen: ScreenShape = .withNotch,
        _ body: @MainActor (AppFixture) async throws -> Void
    ) async throws {
        let fixture = AppFixture(serviceLead: serviceLead, rules: rules, screen: screen)
        do {
            try await body(fixture)
        } catch {
            await fixture.finish()
            throw error
        }
        await fixture.finish()
        if fixture.clock.hasRunHot { throw RanHot() }
    }

    private func finish() async {
        await phone.shutDown()
        try? FileManager.default.removeItem(at: storage)
    }

    /// Some code has scheduled itself again and again without a pause.
    struct RanHot: Error {}

    // MARK: The app

    func plan(carriesOutRecalls: Bool = true, signInToken: String? = nil) throws -> HostApp.Plan {
        guard let url = URL(string: "https://push.example.com") else { throw URLError(.badURL) }
        let configuration = Carillon.Configuration(
            service: url, topic: Self.bundleID, environment: .sandbox, signInToken: { signInToken },
            carriesOutRecalls: carriesOutRecalls,
            report: { [log] in log.add($0) })
        var plan = HostApp.Plan(configuration: configuration, transport: service, callbackLog: callbackLog)
        if countsStoreFiles {
            plan.storeFiles = { [weak self] platform in
                let files = CountingFiles(platform.storeFiles)
                self?.storeFiles = files
                return files
            }
        }
        return plan
    }

    func install(
        _ plan: HostApp.Plan, environment: APNsEnvironment? = .sandbox, entitlements: Set<AppBundle.Entitlement> = [],
        makeSceneDelegate: (@MainActor @Sendable () -> any UISceneDelegate)? = nil,
        makeServiceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil
    ) {
        let box = UncheckedPlan(plan: plan)
        var bundle = AppBundle(
            bundleID: Self.bundleID, name: "Host", environment: environment, entitlements: entitlements,
            appGroups: ["group.host"], usesScenes: makeSceneDelegate != nil, makeSceneDelegate: makeSceneDelegate,
            makeDelegate: { HostApp(plan: box.plan) },
            makeServiceExtension: makeServiceExtension)
        bundle.widgets = widgets
        bundle.controls = controls
        if plan.registersMatches {
            bundle.supportsLiveActivities = true
            bundle.liveActivities = [LiveActivityLayout(for: MatchOfRun.self)]
        }
        phone.install(bundle)
    }

    var app: HostApp? { phone.delegate(of: Self.bundleID) as? HostApp }

    /// Installs and opens the app, and allows notifications; then it is in the foreground and reconciled with the service.
    func openAllowed(_ plan: HostApp.Plan? = nil) async throws {
        install(try plan ?? self.plan())
        try await open()
        try await phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await phone.answerPermission(allow: true)
        try await settle()
    }

    func open() async throws { try await phone.openApp(Self.bundleID) }

    /// Installs and opens the app, allows notifications, and goes to the home screen; then the app is suspended.
    func suspended(_ plan: HostApp.Plan? = nil) async throws {
        try await openAllowed(plan)
        try await goHome()
    }

    func goHome() async throws {
        await phone.pressHome()
        clock.advance(by: .seconds(6))
        try await phone.settled()
    }

    /// Installs another app than ``HostApp``, allowed to notify, and opens it.
    func open(
        makeSceneDelegate: (@MainActor @Sendable () -> any UISceneDelegate)? = nil,
        _ make: @escaping @MainActor @Sendable (HostApp.Plan) -> any UIApplicationDelegate
    ) async throws {
        let box = UncheckedPlan(plan: try plan())
        phone.install(
            AppBundle(
                bundleID: Self.bundleID, name: "Host", environment: .sandbox, usesScenes: makeSceneDelegate != nil,
                makeSceneDelegate: makeSceneDelegate, makeDelegate: { make(box.plan) }))
        try phone.settings.setNotificationsAllowed(true, for: Self.bundleID)
        try await open()
        try await settle()
    }

    /// Waits until phone and SDK have nothing left to do.
    func settle() async throws {
        for _ in 0..<2 {
            try await phone.settled()
            await (phone.delegate(of: Self.bundleID) as? any AppWithCarillon)?.carillon?.settle()
        }
        try await phone.settled()
    }

    // MARK: Pushes

    /// A push of the service, and everything that it leads to.
    @discardableResult
    func push(
        _ payload: JSONValue, type: PushType = .background, collapseID: String? = nil
    ) async throws -> PushTrace {
        let number = await phone.receive(
            IncomingPush(
                topic: Self.bundleID, pushType: type, payload: try payload.encoded(), collapseID: collapseID,
                apnsID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
                priority: type == .background ? 5 : 10))
        try await phone.settled()
        guard let trace = phone.traces.first(where: { $0.number == number }) else { throw NoTrace(number: number) }
        return trace
    }

    @discardableResult
    func silent(
        _ id: String, until: Timestamp? = nil, attempt: Int = 1, _ text: String = "text"
    ) async throws -> PushTrace {
        var key = CarillonKey(id: try MessageID(id), now: clock.now, until: until, attempt: attempt)
        key.silent = ["alert": ["title": "News", "body": .string(text)], "sound": "default"]
        return try await push(["aps": ["content-available": 1], "carillon": key.json], collapseID: id)
    }

    @discardableResult
    func visible(
        _ id: String, until: Timestamp? = nil, attempt: Int = 1, removals: [String] = [], media: String? = nil
    ) async throws -> PushTrace {
        let key = CarillonKey(
            id: try MessageID(id), now: clock.now, until: until,
            removals: try removals.map { Removal(try MessageID($0)) },
            attempt: attempt)
        var payload: [String: JSONValue] = [
            "aps": [
                "alert": ["title": "News", "body": "text"], "sound": "default", "content-available": 1,
                "mutable-content": 1,
            ],
            "carillon": key.json,
        ]
        payload["media_url"] = media.map(JSONValue.string)
        return try await push(.object(payload), type: .alert, collapseID: id)
    }

    @discardableResult
    func removal(_ ids: String...) async throws -> PushTrace {
        let key = CarillonKey(now: clock.now, removals: try ids.map { Removal(try MessageID($0)) })
        return try await push(
            ["aps": ["content-available": 1], "carillon": key.json], collapseID: "carillon-removals")
    }

    var onScreen: [String] { phone.deliveredNotifications(of: Self.bundleID).map(\.request.identifier).sorted() }

    struct NoTrace: Error { let number: Int }

    /// `@unchecked`: a plan is made by a test and only read afterwards, on the main thread.
    private struct UncheckedPlan: @unchecked Sendable { let plan: HostApp.Plan }
}
