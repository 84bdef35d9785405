import CarillonCore
import CarillonExplain
import Foundation
import UIKit
import _SystemFoundation

/// An app on a new phone, for the app's own tests.
///
/// ```swift
/// try await AppUnderTest.run({ AppDelegate() }) { app in
///     try await app.openAndAllow()
///     try await app.push(["aps": ["alert": "Breaking news"]])
///     #expect(app.phone.banner?.notification.request.content.body == "Breaking news")
/// }
/// ```
///
/// Time passes only when the test advances it, so results do not depend on the machine's speed. Every run has its own phone,
/// clock and folder, so tests may run in parallel. The folder is deleted when the run ends.
@MainActor public final class AppUnderTest {
    /// The phone: its methods are the person's actions, and its properties are the visible state.
    public let phone: Phone
    /// The phone's clock, which moves only when the test advances it.
    ///
    /// Prefer ``advance(by:)``: only this method lets the app and the phone act at each deadline on the way.
    public let clock: ManualClock
    /// The app's bundle ID.
    public let bundleID: String
    private let storage: URL

    /// The default start time of the phone's clock: Friday, 1 January 2027, 09:00 UTC.
    public nonisolated static let usualStart = Timestamp(secondsSince1970: 1_798_794_000)

    /// The number of tests that have started in this program, which gives each test a folder of its own.
    private static var runs = 0
    /// The numbers of the tests (``AppUnderTest`` objects) that have not ended; a new test gets the lowest free number.
    private static var running: Set<Int> = []
    private let number: Int

    private init(
        _ bundle: AppBundle, start: Timestamp, link: (any PushLink)?, _ edit: (inout PhoneConfiguration) -> Void
    ) {
        Self.runs += 1
        let process = ProcessInfo.processInfo.processIdentifier
        number = (1...).first { !Self.running.contains($0) } ?? Self.runs
        Self.running.insert(number)
        clock = ManualClock(start: start)
        storage = FileManager.system.temporaryDirectory.appending(
            path: "carillon-\(process)-\(Self.runs)", directoryHint: .isDirectory)
        // Without a push service, the ID of the first phone is equal in every process. With a push service, the ID must be
        // unique, because other processes may have phones at that service.
        var configuration = PhoneConfiguration(
            id: link == nil ? "phone-\(number)" : "phone-\(process)-\(Self.runs)", name: "iPhone", clock: clock,
            storage: storage, seed: 1)
        edit(&configuration)
        phone = Phone(configuration: configuration, link: link)
        bundleID = bundle.bundleID
        phone.install(bundle)
    }

    /// Installs an app on a new phone, runs a test with it, and cleans up afterwards, even if the test fails.
    ///
    /// - Parameters:
    ///   - bundle: the app with its Info.plist values and entitlements.
    ///   - start: the start of the phone's clock; the default is ``usualStart``.
    ///   - rules: iOS's rules; the default is iOS's own behaviour.
    ///   - screen: the shape of the screen; the default has a notch.
    ///   - seed: the seed of all random values, such as device tokens; the default is 1.
    ///   - link: an additional source of pushes, such as an ``AdminPushLink``; the default is none.
    ///   - body: the test.
    /// - Returns: the result of the test.
    /// - Throws: the error that the test throws.
    public static func run<Value>(
        _ bundle: AppBundle, start: Timestamp = usualStart, rules: PhoneRules = PhoneRules(),
        screen: ScreenShape = .withNotch, seed: UInt64 = 1, link: (any PushLink)? = nil,
        _ body: @MainActor (AppUnderTest) async throws -> Value
    ) async throws -> Value {
        try await run(bundle, start: start, link: link) { configuration in
            (configuration.seed, configuration.rules, configuration.screen) = (seed, rules, screen)
        } _: {
            try await body($0)
        }
    }

    /// Runs a test with an app on a new phone, after `edit` has changed the phone's configuration.
    ///
    /// - Parameters:
    ///   - bundle: the app.
    ///   - start: the start of the phone's clock.
    ///   - link: an additional source of pushes.
    ///   - edit: changes the phone's configuration.
    ///   - body: the test.
    /// - Returns: the result of the test.
    /// - Throws: the error that the test throws.
    package static func run<Value>(
        _ bundle: AppBundle, start: Timestamp = usualStart, link: (any PushLink)? = nil,
        configuration edit: (inout PhoneConfiguration) -> Void,
        _ body: @MainActor (AppUnderTest) async throws -> Value
    ) async throws -> Value {
        let app = AppUnderTest(bundle, start: start, link: link, edit)
        if link != nil { await app.phone.boot() }
        do {
            let value = try await body(app)
            await app.finish()
            return value
        } catch {
            await app.finish()
            throw error
        }
    }

    /// Runs a test with an app that consists only of its delegate.
    ///
    /// The app's bundle ID is `com.example.app`, and silent pushes may wake it.
    ///
    /// - Parameters:
    ///   - makeDelegate: makes the delegate; called at every launch.
    ///   - body: the test.
    /// - Returns: the result of the test.
    /// - Throws: the error that the test throws.
    public static func run<Value>(
        _ makeDelegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate,
        _ body: @MainActor (AppUnderTest) async throws -> Value
    ) async throws -> Value {
        try await run(AppBundle(bundleID: "com.example.app", name: "App", makeDelegate: makeDelegate), body)
    }

    // MARK: actions

    /// Opens the app, and waits until the phone has nothing left to do (``Phone/settled(within:)``).
    public func open() async throws {
        try await phone.openApp(bundleID)
        try await phone.settled()
    }

    /// Opens the app and allows its notifications on the permission sheet, and critical alerts on the sheet that may follow.
    ///
    /// - Throws: ``PhoneError`` (`noPermissionSheet`) if the app does not request permission.
    public func openAndAllow() async throws { try await openAndAnswer(allow: true) }

    /// Opens the app and refuses its notifications on the permission sheet.
    ///
    /// - Throws: ``PhoneError`` (`noPermissionSheet`) if the app does not request permission.
    public func openAndDeny() async throws { try await openAndAnswer(allow: false) }

    private func openAndAnswer(allow: Bool) async throws {
        try await open()
        repeat {
            try await phone.answerPermission(allow: allow)
            try await phone.settled()
        } while phone.permissionSheet != nil
    }

    /// Goes to the home screen and waits until iOS has suspended the app.
    public func suspend() async throws {
        await phone.pressHome()
        try await advance(by: .seconds(phone.rules.enteringBackgroundSeconds))
    }

    /// Delivers a push to the phone directly, without APNs, and waits until the phone is at rest.
    ///
    /// The push does not arrive if the app has no device token, because no backend could then send it; the trace gives this
    /// reason (``PhoneRules/pushNeedsToken``). This method also returns if the app or an extension never calls its completion
    /// handler: see ``Phone/settled(within:)``.
    ///
    /// - Parameters:
    ///   - payload: the payload as a backend sends it, written as a literal.
    ///   - type: the push type. With `nil`, the default, a push that shows nothing is `background`, and any other push is
    ///     `alert`.
    ///   - collapseID: the collapse ID, which becomes the notification's identifier; the default is none.
    ///   - token: the token to which a push for a Live Activity, for widgets or for a control is sent. With `nil`, the default, a
    ///     start goes to the app's push-to-start token, a push of type `widgets` to the app's token for widgets, and any other to
    ///     the app's only Live Activity or control.
    ///   - priority: 10, 5 or 1. With `nil`, the default, a background push has 5, and any other push 10.
    /// - Returns: the trace, which says how the phone handled the push, and why.
    /// - Throws: ``PhoneError`` (`unusablePayload`) if APNs would refuse the payload or no phone could read it.
    @discardableResult
    public func push(
        _ payload: JSONValue, type: PushType? = nil, collapseID: String? = nil, token: Data? = nil,
        priority: Int? = nil
    ) async throws -> PushTrace {
        try await push(payload.encoded(), type: type, collapseID: collapseID, token: token, priority: priority)
    }

    /// Delivers a push with a payload from a file, byte for byte, and waits until the phone has nothing left to do.
    ///
    /// This method waits as ``Phone/settled(within:)`` does.
    ///
    /// - Parameters:
    ///   - payload: the JSON payload.
    ///   - type: the push type. With `nil`, the default, a push that shows nothing is `background`, and any other push is
    ///     `alert`.
    ///   - collapseID: the collapse ID, which becomes the notification's identifier; the default is none.
    ///   - token: the token to which a push for a Live Activity, for widgets or for a control is sent. With `nil`, the default, a
    ///     start goes to the app's push-to-start token, a push of type `widgets` to the app's token for widgets, and any other to
    ///     the app's only Live Activity or control.
    ///   - priority: 10, 5 or 1. With `nil`, the default, a background push has 5, and any other push 10.
    /// - Returns: the trace, which says how the phone handled the push, and why.
    /// - Throws: ``PhoneError`` (`unusablePayload`) if APNs would refuse the payload or no phone could read it.
    @discardableResult
    public func push(
        _ payload: Data, type: PushType? = nil, collapseID: String? = nil, token: Data? = nil, priority: Int? = nil
    ) async throws -> PushTrace {
        let explanation = PayloadExplanation(of: payload, pushType: type)
        guard explanation.isUsable else {
            let reasons = explanation.lines.filter { $0.severity == .error }.map {
                $0.key.isEmpty ? $0.meaning : "\($0.key): \($0.meaning)"
            }
            throw PhoneError(.unusablePayload, reasons.joined(separator: " "))
        }
        let push = IncomingPush(
            topic: bundleID, pushType: explanation.pushType, payload: payload, collapseID: collapseID,
            apnsID: phone.kernel.randomUUID(), priority: priority ?? (explanation.pushType == .background ? 5 : 10),
            token: token)
        let missing =
            phone.rules.pushNeedsToken
            ? phone.connection.missingToken(for: push)
                ?? phone.pushes.receivers.lazy.compactMap { $0.missingToken(for: push) }.first : nil
        let number = phone.pushes.arrived(push, refusal: missing).number
        try await phone.settled()
        guard let trace = phone.traces.first(where: { $0.number == number }) else {
            throw PhoneError(.notSettled, "Push \(number) is no longer among the phone's traces.")
        }
        return trace
    }

    /// Advances the clock from deadline to deadline, and waits at each of them until the phone has nothing left to do
    /// (``Phone/settled(within:)``).
    ///
    /// So everything happens at its own time. An app answers before its time is over, a repeating reminder comes at each of its
    /// dates, and a timer may set the next one. The deadlines include those of other users of ``clock``, such as a service in
    /// the test's own process. The phone does not wait for the threads of such a service.
    ///
    /// - Parameter duration: the time to advance by.
    /// - Throws: ``PhoneError``: `timedOut`, which names the outstanding work; `notSettled` if something on the clock is due
    ///   again and again although no time passes.
    public func advance(by duration: Duration) async throws {
        try await phone.settled()
        let end = clock.now + duration
        var overdueSteps = 0
        while let deadline = clock.nextDeadline, deadline <= end {
            overdueSteps = deadline > clock.now ? 0 : overdueSteps + 1
            guard overdueSteps <= PhoneLimits.overdueSteps else {
                throw PhoneError(
                    .notSettled,
                    "At \(clock.now), something on the clock is due again as soon as it is done. With a real clock, it would "
                        + "keep the phone busy for ever.")
            }
            clock.advance(to: deadline)
            try await phone.settled()
        }
        clock.advance(to: end)
        try await phone.settled()
    }

    /// Taps a notification in its banner, on the lock screen or in the notification center.
    ///
    /// Waits until the phone has nothing left to do (``Phone/settled(within:)``).
    public func tap(_ notificationID: String) async throws {
        try await phone.tap(notificationID, in: bundleID)
        try await phone.settled()
    }

    /// Chooses a button of a notification, and waits until the phone has nothing left to do (``Phone/settled(within:)``).
    ///
    /// - Parameters:
    ///   - actionID: the action's identifier.
    ///   - notificationID: the notification's identifier.
    ///   - text: the text that the person types into a text action; the default is none.
    /// - Throws: ``PhoneError`` (`unknownNotification`, `unknownAction`), or `phoneLocked` if the action requires authentication.
    public func choose(_ actionID: String, on notificationID: String, text: String? = nil) async throws {
        try await phone.choose(actionID, on: notificationID, in: bundleID, text: text)
        try await phone.settled()
    }

    /// Swipes the app out of the app switcher: no silent push wakes it until the person opens it again.
    public func forceQuit() async throws {
        try await phone.forceQuit(bundleID)
        try await phone.settled()
    }

    // MARK: visible state

    /// The app's notifications in the notification center, newest first.
    public var notifications: [UNNotification] { phone.deliveredNotifications(of: bundleID) }
    /// The app's Live Activities on the lock screen, the most relevant first.
    public var liveActivities: [LiveActivity] { phone.activities.shown(of: bundleID) }
    /// The app's widgets that the person has added, in the order in which they were added.
    public var widgets: [PhoneWidget] { phone.widgets.shown(of: bundleID) }
    /// The app's controls that the person has added, in the order in which they were added.
    public var controls: [PhoneControl] { phone.widgets.controls(of: bundleID) }
    /// The badge number on the app's icon; 0 means no badge.
    public var badge: Int { phone.badge(of: bundleID) }
    /// Whether and how the app runs.
    public var state: RunningState { phone.runningState(of: bundleID) }
    /// The texts in the app's windows, front to back; empty if the app does not run.
    public var texts: [String] { phone.screen.viewTree(of: bundleID)?.texts ?? [] }
    /// Returns the running app's delegate.
    ///
    /// - Returns: `nil` if the app does not run, or if its delegate is of another class.
    public func delegate<Delegate: UIApplicationDelegate>(as type: Delegate.Type = Delegate.self) -> Delegate? {
        phone.delegate(of: bundleID) as? Delegate
    }

    private func finish() async {
        await phone.shutDown()
        Self.running.remove(number)
        try? FileManager.default.removeItem(at: storage)
    }
}
