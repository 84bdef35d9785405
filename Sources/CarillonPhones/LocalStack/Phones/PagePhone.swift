import CarillonApp
import CarillonCore
import CarillonDevice
import Chime
import Foundation
import UserNotifications

/// One of the simulated phones on the page of `carillon up`.
///
/// It carries out the page's commands, and sends the phone's state to the page after each change.
@MainActor
final class PagePhone {
    /// Returns the shape of a phone's screen: the first phone has a Dynamic Island, the second, older one a home button.
    static func screen(of number: Int) -> ScreenShape {
        number == 0
            ? ScreenShape(width: 393, height: 852, scale: 3, safeAreaTop: 59, safeAreaBottom: 34) : .withHomeButton
    }

    nonisolated let id: String
    let phone: Phone
    /// The installed app.
    private(set) var app: PageApp
    private let apps: [PageApp]
    let directory: PhoneDirectory
    let memory: PhoneMemory
    private let pageState: PageState
    private let tracker: MessageTracker
    let clock: any CarillonClock

    var appearance = PhoneMemory.Appearance()
    private var isCenterOpen = false
    private(set) var installation: String?
    /// The region in the phone's Settings while the app last ran; `nil` before the app has run.
    private var appRegion: String?
    private var lastState: PhoneState?
    private var soundCount = 0
    /// The number of the newest ``PushTrace`` at the last ``erase()``; `carillon why` gets only later ones.
    private var forgottenTrace = 0
    private var seen = SeenNotifications()
    /// The last log line about each push, by the number of the push's ``PushTrace``, so that no line is repeated.
    private var lastLogged: [Int: String] = [:]
    /// Signals that the saved state must be written again.
    let memoryIsStale = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        phone: Phone, apps: (first: PageApp, others: [PageApp]), memory: PhoneMemory, directory: PhoneDirectory,
        pageState: PageState,
        tracker: MessageTracker, clock: any CarillonClock
    ) {
        id = phone.id
        self.phone = phone
        app = apps.first
        self.apps = [apps.first] + apps.others
        self.memory = memory
        self.directory = directory
        self.pageState = pageState
        self.tracker = tracker
        self.clock = clock
    }

    var bundle: AppBundle { app.bundle }

    /// Switches the phone on and sends its changes to the page until the task is cancelled; then switches the phone off.
    ///
    /// - Parameter started: called when the phone is on.
    func run(started: @Sendable () -> Void) async {
        let changes = phone.changes
        await start()
        started()
        await withTaskGroup { group in
            group.addTask { await self.follow(changes) }
            group.addTask { await self.tell() }
            group.addTask { await self.keepMemory() }
        }
        // Saves the state once more, because the last change may have come during the previous write.
        remember()
        await phone.shutDown()
    }

    /// Boots the phone with its saved state.
    ///
    /// If the person has not decided on the app's notifications yet, the phone opens the app, which can ask. Otherwise it shows
    /// the home screen.
    private func start() async {
        let known = memory.read()
        app = apps.first { $0.id == known?.app } ?? app
        phone.install(bundle)
        if let known {
            installation = known.installation
            if let installation { directory.note(installation: installation, of: id) }
            // If the saved state is invalid, only the notifications are lost.
            try? phone.restore(known.state, of: bundle.bundleID)
            if let settings = known.settings { await restore(settings) }
        }
        await phone.boot()
        await introduce()
    }

    /// Opens the app if the person has not decided on its notifications yet, and sends the phone's state to the page.
    private func introduce() async {
        if phone.authorizationStatus(of: bundle.bundleID) == .notDetermined {
            try? await phone.openApp(bundle.bundleID)
        }
        tellNow()
    }

    // MARK: - Commands of the page

    /// Carries out a command of the page.
    ///
    /// - Parameters:
    ///   - name: the command's name.
    ///   - body: the members of the request.
    /// - Throws: ``PageProblem`` if the command is not valid, or if the phone cannot carry it out now.
    func perform(_ name: String, _ body: JSONValue) async throws {
        let command = try PhoneCommand(name, body, app: bundle.bundleID)
        do {
            try await carryOut(command)
        } catch let error as PhoneError {
            throw PageProblem(409, "Not now", error.description)
        }
        tellNow()
    }

    private func carryOut(_ command: PhoneCommand) async throws {
        switch command {
        case .action(let action):
            try await phone.perform(action)
            return await follow(action)
        case .home:
            isCenterOpen = false
            try await phone.perform(.unlock)
            return try await phone.perform(.pressHome)
        case .center(let isOpen): return isCenterOpen = isOpen && !phone.isLocked
        case .set(let setting, let isOn): try await change(setting, to: isOn)
        case .previews(let previews): try phone.settings.change(of: bundle.bundleID) { $0.previews = previews }
        case .app(let id):
            guard let other = apps.first(where: { $0.id == id }) else {
                throw PageProblem(422, "A value cannot be accepted", "value: there is no app \(id)")
            }
            // A locked phone opens no app, so the new app could not ask for permission.
            try await phone.perform(.unlock)
            try await phone.perform(.uninstall(bundle.bundleID))
            await setUpApp(other)
        }
        memoryIsStale.continuation.yield()
    }

    /// Does what follows from an action on this page: closes Notification Center, installs the app anew, saves the state.
    private func follow(_ action: PhoneAction) async {
        switch action {
        case .lock, .restart, .tap: return isCenterOpen = false
        case .choose: return isCenterOpen = isCenterOpen && phone.frontApp != bundle.bundleID
        case .openSettings: isCenterOpen = false
        case .authenticate: isCenterOpen = isCenterOpen && phone.frontApp == nil
        case .erase:
            await followBrowser()
            await setUpApp(app)
        case .setLocale, .reveal: break
        default: return
        }
        memoryIsStale.continuation.yield()
    }

    /// Installs an app after the previous one has been deleted.
    private func setUpApp(_ other: PageApp) async {
        isCenterOpen = false
        (installation, appRegion) = (nil, nil)
        directory.forgetTokens(of: id)
        seen.forget()
        app = other
        phone.install(bundle)
        await introduce()
    }

    /// Erases the phone, charges the battery, sets every ``PageRule`` to its initial value, and forgets the traces of pushes.
    ///
    /// The phone has no app until ``beginAnew()``.
    func erase() async {
        for rule in PageRule.allCases { rule.set(rule.isOn(in: PhoneRules()), in: &phone.rules) }
        phone.setBatteryLevel(1)
        await phone.erase()
        await followBrowser()
        forgottenTrace = phone.traces.last?.number ?? 0
    }

    /// Installs the first of the page's apps on the erased phone.
    func beginAnew() async {
        if let first = apps.first { await setUpApp(first) }
        memoryIsStale.continuation.yield()
    }

    /// Makes the phone dark if the browser is dark, and light otherwise; forgets the person's own choice.
    private func followBrowser() async {
        appearance.isChosen = false
        await phone.settings.setDarkMode(appearance.isBrowserDark)
    }

    // MARK: - State for the page

    /// Returns the attachment of a notification on this phone; `nil` if it has none.
    func attachment(of id: String) -> AttachmentFile? {
        let listed = phone.deliveredNotifications(of: bundle.bundleID)
        let shown = listed.first { $0.request.identifier == id } ?? phone.banner?.notification
        guard let shown, shown.request.identifier == id else { return nil }
        return AttachmentFile(shown)
    }

    var history: PushHistory {
        PushHistory(
            phone: id, name: phone.name, isOffline: !phone.isOnline,
            pushes: phone.traces.filter { $0.number > forgottenTrace })
    }

    private func follow(_ changes: AsyncStream<PhoneChange>) async {
        for await change in changes {
            switch change {
            case .log(let number): note(number)
            case .permission:
                seen.forget()
                memoryIsStale.continuation.yield()
            case .list, .badge: memoryIsStale.continuation.yield()
            case .sound: soundCount += 1
            default: break
            }
            wake.continuation.yield()
        }
        wake.continuation.finish()
        memoryIsStale.continuation.finish()
    }

    private func tell() async {
        for await _ in wake.stream {
            tellNow()
            let isMoving = phone.screen.isAnimating(bundle.bundleID)
            try? await clock.sleep(for: isMoving ? PhonesLimits.phoneFrameInterval : PhonesLimits.phoneStateInterval)
            // Animations cause no change events, so the state is sent repeatedly until they have ended.
            if isMoving || phone.screen.isAnimating(bundle.bundleID) { wake.continuation.yield() }
        }
    }

    private func tellNow() {
        let delegate = phone.delegate(of: bundle.bundleID) as? ChimeAppDelegate
        if let known = delegate?.carillon?.installationID, known != installation {
            installation = known
            directory.note(installation: known, of: id)
            memoryIsStale.continuation.yield()
        }
        let tokens = PhoneTokens(
            app: phone.deviceToken(of: bundle.bundleID).flatMap { DeviceToken($0) },
            calls: phone.voIPToken(of: bundle.bundleID).flatMap { DeviceToken($0) },
            start: phone.activities.startToken(of: bundle.bundleID).flatMap { DeviceToken($0) },
            activity: newestActivityToken)
        if directory.note(tokens, for: bundle.bundleID, of: id) { memoryIsStale.continuation.yield() }
        if phone.runningState(of: bundle.bundleID).hasProcess { appRegion = phone.settings.locale.identifier(.bcp47) }
        var state = PhoneState(
            phone, app: app, tokens: directory.tokens(of: id), installation: installation, isCenterOpen: isCenterOpen,
            soundCount: soundCount, seen: &seen)
        state.app.region = appRegion
        state.app.whyNoActivity = newestActivityPush?.whyNoActivity
        guard lastState.map({ state.differs(from: $0) }) ?? true else { return }
        lastState = state
        pageState.show(state)
    }

    private var newestActivityPush: PushTrace? {
        phone.traces.last {
            $0.pushType == .liveactivity && $0.topic == bundle.bundleID && $0.number > forgottenTrace
        }
    }

    private var newestActivityToken: DeviceToken? {
        let running = phone.activities.shown(of: bundle.bundleID).filter { $0.pushToken != nil }
        return running.max { $0.startedAt < $1.startedAt }?.pushToken.flatMap { DeviceToken($0) }
    }

    /// Shows a new or changed push in the page's messages and log.
    ///
    /// - Parameter number: the number of the push's ``PushTrace``.
    private func note(_ number: Int) {
        guard let trace = phone.trace(number) else { return }
        if let message = (trace.notificationID ?? trace.collapseID).flatMap({ try? MessageID($0) }) {
            let isKnown = pageState.withIndex { index in
                index.note(trace.whyNotSeen, from: .phone, for: message, on: id)
            }
            if isKnown { tracker.note(message) }
        }
        pageState.show { $0.note(trace, on: id) }
        guard trace.isFinished, lastLogged[number] != trace.sentence else { return }
        lastLogged = lastLogged.filter { $0.key > number - PhonesLimits.loggedPushes }
        lastLogged[number] = trace.sentence
        pageState.log(.phone, "\(phone.name): \(trace.sentence)")
    }
}
