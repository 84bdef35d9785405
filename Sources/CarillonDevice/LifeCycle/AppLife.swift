import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The life cycle of apps: their processes, and their extensions' processes, from launch to end.
///
/// ``Person`` decides when an app comes to the front and with which options. ``Pushes`` decides when a push wakes an app.
@MainActor final class AppLife: PartWithApps {
    /// The state of an app's process, scene and delegates.
    struct AppState {
        var process: AppProcess?
        /// Whether the person has force-quit the app and not opened it since.
        var isForceQuit = false
        /// The quick actions that the app itself has added to its icon's menu.
        var shortcutItems: [UIApplicationShortcutItem]?
        /// The session of the app's one scene, across launches; `nil` before the first scene, and after the scene was
        /// discarded.
        var sceneSession: UISceneSession?
        /// The sessions of scenes that the person has closed in the app switcher, until the app is told.
        var discardedScenes: Set<UISceneSession> = []
        /// The methods of the app's delegates that resemble Apple's methods but that iOS never calls, found since the app was
        /// installed.
        var delegateReport = DelegateReport()
    }

    let kernel: PhoneKernel
    let traces: Traces
    let device: DeviceState
    let apps: InstalledApps
    let screen: PhoneScreen
    /// The phone, whose parts carry out the calls that apps make to the system.
    weak var system: (any AppSystem)?
    /// The running extension processes, in the order in which they were started.
    private var extensions: [RunningProcess] = []
    var perApp = PerApp(AppState())

    init(kernel: PhoneKernel, traces: Traces, device: DeviceState, apps: InstalledApps, screen: PhoneScreen) {
        self.kernel = kernel
        self.traces = traces
        self.device = device
        self.apps = apps
        self.screen = screen
    }

    // MARK: state of an app

    func process(of app: InstalledApp) -> AppProcess? { perApp[app].process }

    func process(of bundleID: String) -> AppProcess? { apps[bundleID].flatMap { process(of: $0) } }

    /// The running app processes, in the order of their bundle IDs.
    var appProcesses: [AppProcess] { apps.all.compactMap { process(of: $0) } }

    func runningState(of app: InstalledApp) -> RunningState {
        guard let process = process(of: app) else { return perApp[app].isForceQuit ? .forceQuit : .notRunning }
        switch process.applicationState {
        case .active: return .foregroundActive
        case .inactive: return .foregroundInactive
        case .background: return process.gate.phase == .running ? .background : .suspended
        }
    }

    func shortcutItems(of app: InstalledApp) -> [UIApplicationShortcutItem]? { perApp[app].shortcutItems }

    func set(_ items: [UIApplicationShortcutItem]?, of app: InstalledApp) { perApp[app].shortcutItems = items }

    func delegateReport(of app: InstalledApp) -> DelegateReport { perApp[app].delegateReport }

    func isForceQuit(_ app: InstalledApp) -> Bool { perApp[app].isForceQuit }

    /// Clears the app's force-quit flag after the person has opened the app or chosen an action of one of its notifications.
    func wasAskedFor(_ app: InstalledApp) { perApp[app].isForceQuit = false }

    /// Clears the force-quit flags of all apps after a restart, so that the system may wake every app again.
    ///
    /// See ``PhoneRule/forceQuitStopsWakes``.
    func forgetForceQuits() { for app in apps.all { perApp[app].isForceQuit = false } }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        perApp.install(app, updating: old) { new, old in
            new.shortcutItems = old.shortcutItems
            new.sceneSession = old.sceneSession
            new.discardedScenes = old.discardedScenes
        }
    }

    func deleted(_ app: InstalledApp) { perApp.remove(app) }

    // MARK: launch and end

    /// Starts the app's process and runs its launch methods.
    ///
    /// The process runs while the app is in front, or while it has a ``ProcessGate/Grant``: a permission to run in the
    /// background. `granting` can give the process such a grant, and is called before the app's code.
    func launch(
        _ app: InstalledApp, options: [UIApplication.LaunchOptionsKey: Any]?, isInFront: Bool,
        granting: (AppProcess) -> Void = { _ in }
    ) async -> AppProcess {
        let process = AppProcess(
            of: app, containers: app.containers, on: device, screen: screen.shape, system: system)
        process.gate.setInFront(isInFront)
        process.applicationState = isInFront ? .inactive : .background
        process.missesProtectedData = !device.isProtectedDataAvailable
        granting(process)
        perApp[app].process = process
        kernel.changed(.lifeCycle(bundleID: app.bundle.bundleID))
        await kernel.call(process, "didFinishLaunching") {
            let application = process.application
            self.prepareScene(of: process, app)
            if app.bundle.sdkVersion >= IOSLimits.scenesRequiredFromSDK, !app.bundle.usesScenes {
                process.hasMade(mistake: AppMistake.scenesMissing.rawValue, app.bundle.bundleID)
                if process.hasEndedForMistake { return }
            }
            let delegate = app.bundle.makeDelegate()
            application.delegate = delegate
            let window =
                app.bundle.usesScenes
                ? nil : Self.mainWindow(of: process) { UIWindow(frame: UIScreen.main.bounds) }
            if let window, application.makeMainController == nil { delegate.window = window }
            let will = delegate.application(application, willFinishLaunchingWithOptions: options)
            let did = delegate.application(application, didFinishLaunchingWithOptions: options)
            window?.makeKeyAndVisible()
            process.takesLaunchReason = will && did
            NotificationCenter.default.postInOrder(
                name: UIApplication.didFinishLaunchingNotification, object: application,
                // https://developer.apple.com/documentation/uikit/uiapplication/didfinishlaunchingnotification
                userInfo: options.map { Dictionary($0.map { ($0.rawValue, $1) }) { first, _ in first } })
            self.tellOfDiscardedScenes(application, app)
            process.hadCenterDelegateInTime = process.notificationCenter.delegate != nil
            process.isLaunched.value = true
        }
        inspectDelegates(of: process, app)
        return process
    }

    /// Returns the window from the app's main storyboard or from SwiftUI; `nil` for an app that makes its own window.
    static func mainWindow(of process: AppProcess, make: () -> UIWindow) -> UIWindow? {
        guard let makeController = process.application.makeMainController else {
            return process.bundle.makeMainWindow(make)
        }
        let window = make()
        window.rootViewController = makeController()
        return window
    }

    /// Ends the app's process, if it has one.
    func end(_ app: InstalledApp) {
        guard let process = process(of: app) else { return }
        process.end()
        perApp[app].process = nil
        screen.left(by: app.bundle.bundleID)
        kernel.changed(.lifeCycle(bundleID: app.bundle.bundleID))
        kernel.changed(.screen)
    }

    /// Ends the process of an app, or of an app's extension.
    func end(_ process: RunningProcess) {
        if let app = apps[process.bundle.bundleID], self.process(of: app) === process {
            end(app)
        } else {
            process.end()
        }
    }

    /// Ends the app as a swipe in the app switcher does.
    ///
    /// A running app is first told that it will terminate. Afterwards the app has no scene, and iOS does not wake it until the
    /// person opens it.
    func forceQuit(_ app: InstalledApp) async {
        if let process = process(of: app), process.gate.phase == .running {
            // A background wake may end meanwhile; as on iOS, an app that has been suspended by then is told nothing.
            if app.bundle.usesScenes {
                await kernel.call(process, "sceneDidDisconnect", waitsForProcess: false) {
                    Self.disconnectScenes(of: process)
                }
            }
            await tell(process, .willTerminate, waitsForProcess: false)
        }
        discardScene(of: app)
        end(app)
        perApp[app].isForceQuit = true
    }

    func endAll() {
        for app in apps.all { end(app) }
        for process in extensions { process.end() }
    }

    // MARK: extensions

    /// Starts a process for the app's content extension; the process runs until the phone ends it.
    func startContentExtension(of app: InstalledApp) -> AppProcess {
        let process = AppProcess(
            of: app, containers: app.contentExtensionContainers, on: device, screen: screen.shape, system: system)
        process.applicationState = .active
        start(process)
        return process
    }

    /// Starts a process for the app's service extension.
    ///
    /// - Returns: the process, and its permission to run until the extension has answered.
    func startServiceExtension(of app: InstalledApp) -> (process: RunningProcess, grant: ProcessGate.Grant) {
        let hasOwn = kernel.rules.keeps(.extensionHasOwnFolder)
        let process = RunningProcess(
            of: app, containers: hasOwn ? app.extensionContainers : app.containers, on: device, system: system)
        return (process, start(process))
    }

    /// Starts a process for the app's widget extension; the process runs until the phone ends it.
    func startWidgetExtension(of app: InstalledApp) -> RunningProcess {
        let process = RunningProcess(of: app, containers: app.widgetExtensionContainers, on: device, system: system)
        start(process)
        return process
    }

    @discardableResult
    private func start(_ process: RunningProcess) -> ProcessGate.Grant {
        extensions.append(process)
        process.onEnd { [weak self, weak process] in self?.extensions.removeAll { $0 === process } }
        return process.gate.grant()
    }

    // MARK: to the front and back

    /// Brings the app to the foreground; connects a new scene for `reason` if an app with a scene manifest has none.
    func enterForeground(_ process: AppProcess, for reason: OpeningReason?) async {
        process.applicationState = .inactive
        if process.bundle.usesScenes, process.application.connectedScenes.isEmpty {
            await kernel.call(process, "willConnectTo") { self.connectScene(of: process, for: reason) }
        }
        await tell(process, .willEnterForeground)
    }

    func activate(_ process: AppProcess) async {
        guard process.applicationState == .inactive, screen.isUncovered(process.bundle.bundleID) else { return }
        await tellSurroundings(process)
        process.applicationState = .active
        await tell(process, .didBecomeActive)
    }

    func resignActive(_ process: AppProcess) async {
        guard process.applicationState == .active else { return }
        await tell(process, .willResignActive)
        process.applicationState = .inactive
    }

    /// Sends the app to the background, where it runs for a few more seconds before it is suspended.
    func sendToBack(_ app: InstalledApp) async {
        guard let process = process(of: app), process.applicationState != .background else { return }
        await resignActive(process)
        process.applicationState = .background
        let grant = process.gate.grant()
        let seconds = kernel.rules.enteringBackgroundSeconds
        process.backgroundDeadline = max(
            process.backgroundDeadline ?? kernel.now, kernel.now + .seconds(seconds))
        process.gate.setInFront(false)
        _ = kernel.schedule(afterSeconds: seconds) { [kernel] in
            process.gate.take(grant)
            kernel.changed(.lifeCycle(bundleID: process.bundle.bundleID))
        }
        await tell(process, .didEnterBackground)
    }

    /// Calls the app delegate or the scene delegate, posts the corresponding notification, and returns when both are done.
    ///
    /// With `waitsForProcess` false, a process that is suspended before its turn is told nothing.
    func tell(_ process: AppProcess, _ event: LifeCycleEvent, waitsForProcess: Bool = true) async {
        await kernel.call(process, event.rawValue, waitsForProcess: waitsForProcess) { event.tell(process) }
        kernel.changed(.lifeCycle(bundleID: process.bundle.bundleID))
    }

    /// Carries out the work that waited while an app's process was suspended: the app's requests to the system, and the phone's
    /// calls of the app's code.
    func resumed(_ process: AppProcess) {
        process.carryOutCalls()
        ProcessScheduler.shared.reconsider()
        kernel.changed(.lifeCycle(bundleID: process.bundle.bundleID))
    }

    // MARK: the app in front

    /// The process of the app in front; `nil` if no app is in front, or if the app is suspended, as on a locked phone.
    ///
    /// A call of a suspended app's code would wait for the phone to be unlocked.
    var processInFront: AppProcess? {
        screen.frontApp.flatMap { process(of: $0) }.flatMap { $0.gate.phase == .running ? $0 : nil }
    }

    /// Tells an app the phone's orientation and interface style, if they differ from the values that the app knows.
    func tellSurroundings(_ process: AppProcess) async {
        let (orientation, style) = (device.orientation, device.settings.interfaceStyle)
        guard process.application.isUnaware(of: orientation, style: style) else { return }
        await kernel.call(process, "surroundings", waitsForProcess: false) {
            process.application.follow(device: orientation, style: style)
        }
    }

    /// Tells the app in front, if there is one, of a change of the phone's orientation or interface style.
    func tellSurroundingsInFront() async { if let process = processInFront { await tellSurroundings(process) } }

    // MARK: work in progress

    /// Descriptions of the apps' unfinished work: Swift tasks, the phone's calls of app code, and requests to iOS.
    ///
    /// Work that only waits for the phone's clock to advance is not listed.
    ///
    /// An error message lists the descriptions after the word "Outstanding".
    var callsUnderWay: [String] {
        processes.compactMap { process in
            let bundleID = process.bundle.bundleID
            if !process.jobs.isEmpty { return "a task of \(bundleID)" }
            guard process.gate.phase == .running else { return nil }
            if process.turnsWaiting > 0 { return "a call of \(bundleID)" }
            return process.hasCallsInLine ? "what \(bundleID) has asked" : nil
        }
    }

    /// Whether any app or extension has unfinished work: a Swift task, a call of its code by the phone, or a request to iOS.
    ///
    /// ``callsUnderWay`` describes this work.
    var isCallUnderWay: Bool {
        processes.contains { process in
            !process.jobs.isEmpty
                || process.gate.phase == .running && (process.turnsWaiting > 0 || process.hasCallsInLine)
        }
    }

    /// Returns whether a process waits for a thread, for real time or for a network.
    func isWaitingForRealTime() async -> Bool {
        for process in processes where await process.outside.isUnderWay() { return true }
        return false
    }

    private var processes: [RunningProcess] { appProcesses + extensions }
}
