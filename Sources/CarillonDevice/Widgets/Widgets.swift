import CarillonCore
import Foundation
@_spi(Simulation) import WidgetKit

/// The part of a phone that keeps the widgets that the person has added, with their tokens and reloads.
@MainActor final class Widgets: PushReceiver {
    struct AppState {
        /// The app's widgets, in the order in which the person added them.
        var placed: [PhoneWidget] = []
        var lastID = 0
        /// The token that all widgets of the app with a push handler share.
        var token: Data?
        var isFetching = false
    }

    private let kernel: PhoneKernel
    private let device: DeviceState
    private let apps: InstalledApps
    private let life: AppLife
    private let connection: PushConnection
    private let extensions: WidgetExtensions
    private var perApp = PerApp(AppState())
    private var timer: ScheduledAction?

    init(extensions: WidgetExtensions, connection: PushConnection) {
        kernel = extensions.kernel
        device = extensions.device
        apps = extensions.apps
        life = extensions.life
        self.connection = connection
        self.extensions = extensions
        connection.whenAttempted.append { [weak self] in self?.catchUp() }
    }

    // MARK: state

    func placed(of app: InstalledApp) -> [PhoneWidget] { perApp[app].placed }

    func token(of app: InstalledApp) -> Data? { perApp[app].token }

    /// Returns the app's widgets as its code sees them.
    func infos(of app: InstalledApp) -> [WidgetInfo] { placed(of: app).map(\.info) }

    private func layout(_ kind: String, of app: InstalledApp) -> WidgetLayout? {
        app.bundle.widgets.first { $0.kind == kind }
    }

    /// Returns whether pushes reload the widget.
    private func hasHandler(_ widget: PhoneWidget, of app: InstalledApp) -> Bool {
        layout(widget.kind, of: app)?.handler != nil
    }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        extensions.installed(app, updating: old)
        let kinds = Set(app.bundle.widgets.map(\.kind))
        perApp.install(app, updating: old) { new, old in
            new = old
            new.isFetching = false
            new.placed.removeAll { !kinds.contains($0.kind) }
        }
        if perApp[app].token != nil, !needsToken(app) { endToken(of: app) }
        awaitBudget(andOf: app)
    }

    func deleted(_ app: InstalledApp) {
        extensions.deleted(app)
        endToken(of: app)
        perApp.remove(app)
        awaitBudget()
    }

    // MARK: the person

    /// Adds a widget, which the phone loads at once.
    ///
    /// - Throws: ``PhoneError`` (`noWidget`) if the app offers no such widget.
    func add(_ kind: String, _ family: WidgetFamily, of app: InstalledApp) throws(PhoneError) -> PhoneWidget {
        guard let layout = layout(kind, of: app) else {
            let kinds = app.bundle.widgets.map(\.kind).joined(separator: ", ")
            throw PhoneError(
                .noWidget, "\(app.bundle.bundleID) offers no widget \(kind). AppBundle.widgets lists: \(kinds).")
        }
        guard layout.families.contains(family) else {
            throw PhoneError(.noWidget, "The widget \(kind) does not support the family \(family).")
        }
        perApp[app].lastID += 1
        let widget = PhoneWidget(id: perApp[app].lastID, kind: kind, family: family)
        perApp[app].placed.append(widget)
        kernel.changed(.screen)
        let entry = life.traces.begin(event: "WidgetKit", of: app.bundle.bundleID)
        entry.note("the person added the widget \(kind)")
        reload([widget.id], of: app, isFree: true, entry)
        guard layout.handler != nil else { return widget }
        if let token = token(of: app) { tellHandlers(of: app, token) }
        fetchToken(of: app)
        return widget
    }

    /// Removes a widget.
    ///
    /// - Throws: ``PhoneError`` (`noWidget`) if the app has no such widget.
    func remove(_ id: Int, of app: InstalledApp) throws(PhoneError) {
        guard let index = perApp[app].placed.firstIndex(where: { $0.id == id }) else {
            throw PhoneError(.noWidget, "\(app.bundle.bundleID) has no widget \(id) on the phone.")
        }
        let widget = perApp[app].placed.remove(at: index)
        kernel.changed(.screen)
        awaitBudget()
        guard hasHandler(widget, of: app), let token = token(of: app) else { return }
        tellHandlers(of: app, token)
        if !needsToken(app), kernel.rules.keeps(.widgetTokenEndsWithLastWidget) { endToken(of: app) }
    }

    // MARK: tokens

    private func needsToken(_ app: InstalledApp) -> Bool { placed(of: app).contains { hasHandler($0, of: app) } }

    /// Tells each push handler of the app the token, with those widgets that have this handler.
    private func tellHandlers(of app: InstalledApp, _ token: Data) {
        var told: Set<ObjectIdentifier> = []
        for case let handler? in app.bundle.widgets.map(\.handler) where told.insert(handler.type).inserted {
            let infos = placed(of: app).filter { layout($0.kind, of: app)?.handler?.type == handler.type }.map(\.info)
            extensions.call(app, "pushTokenDidChange") { handler.tell(token, infos) }
        }
    }

    private func fetchToken(of app: InstalledApp) {
        guard device.isPoweredOn, device.network.isOnline, needsToken(app), perApp[app].token == nil,
            !perApp[app].isFetching
        else { return }
        perApp[app].isFetching = true
        kernel.tasks.begin("the token for widgets of \(app.bundle.bundleID)") { [self] in
            let result = await connection.newToken(.widgets, for: app)
            perApp[app].isFetching = false
            switch result {
            case .success(let token):
                guard apps.has(app), needsToken(app) else { return connection.retire([token]) }
                perApp[app].token = token
                tellHandlers(of: app, token)
            case .failure(let error):
                life.traces.begin(event: "WidgetKit", of: app.bundle.bundleID).finish(
                    note: "the app gets no token for widgets: \(error.localizedDescription)")
            }
        }
    }

    private func endToken(of app: InstalledApp) {
        guard let token = perApp[app].token else { return }
        perApp[app].token = nil
        connection.retire([token])
    }

    private func catchUp() {
        for app in apps.all { fetchToken(of: app) }
        releaseHeld()
    }

    // MARK: reloads

    /// Reloads the app's widgets of a kind, or of all kinds, because the app's code asks for it.
    func reload(_ kind: String?, by process: RunningProcess) {
        guard let app = apps[process.bundle.bundleID] else { return }
        let ids = placed(of: app).filter { kind == nil || $0.kind == kind }.map(\.id)
        let entry = life.traces.begin(event: "WidgetCenter", of: app.bundle.bundleID)
        guard !ids.isEmpty else {
            return entry.finish(note: "nothing to reload: no widget \(kind.map { "\($0) " } ?? "")is on the phone")
        }
        let isInFront = process is AppProcess && life.runningState(of: app).isForeground
        reload(ids, of: app, isFree: isInFront && kernel.rules.keeps(.foregroundReloadIsFree), entry)
    }

    /// Decides about the reload of each of these widgets, and loads the content of those that may reload now.
    private func reload(_ ids: [Int], of app: InstalledApp, isFree: Bool, _ entry: TraceEntry) {
        let limit = kernel.rules.widgetReloadsPerDay
        var begun: [PhoneWidget] = []
        for index in perApp[app].placed.indices where ids.contains(perApp[app].placed[index].id) {
            let answer = perApp[app].placed[index].ask(at: kernel.now, isFree: isFree, limit: limit)
            let widget = perApp[app].placed[index]
            switch answer {
            case .reload:
                entry.note("reloads the widget \(widget.kind)")
                begun.append(widget)
            case .hold(let end):
                let until = end.map { " until \($0)" } ?? ""
                entry.note(
                    "held\(until): the widget \(widget.kind) has had all the \(limit ?? 0) reloads of its budget for 24 hours"
                )
            }
        }
        awaitBudget()
        guard !begun.isEmpty else { return entry.finish() }
        kernel.tasks.begin("widgets of \(app.bundle.bundleID)") { [self, begun] in
            for widget in begun { await load(widget, of: app, entry) }
            entry.finish()
        }
    }

    private func load(_ widget: PhoneWidget, of app: InstalledApp, _ entry: TraceEntry) async {
        guard let content = layout(widget.kind, of: app)?.content, apps.has(app), device.isPoweredOn else { return }
        guard let lines = await extensions.value(of: app, "timeline", entry, content) else {
            return entry.note("the widget \(widget.kind) gave no content: it shows the content that it had")
        }
        guard let index = perApp[app].placed.firstIndex(where: { $0.id == widget.id }) else { return }
        perApp[app].placed[index].lines = lines
        kernel.changed(.screen)
    }

    /// Waits for the next reload that is held, also of an app that is about to be in the list of installed apps.
    private func awaitBudget(andOf new: InstalledApp? = nil) {
        timer?.cancel()
        let limit = kernel.rules.widgetReloadsPerDay
        let next = (apps.all + [new].compactMap(\.self)).flatMap { placed(of: $0) }.compactMap {
            $0.release(after: kernel.now, limit: limit)
        }.min()
        timer = next.map { moment in kernel.schedule(at: moment) { [weak self] in self?.releaseHeld() } }
    }

    /// Reloads the widgets whose budget allows again what was held.
    private func releaseHeld() {
        guard device.isPoweredOn else { return }
        let limit = kernel.rules.widgetReloadsPerDay
        for app in apps.all {
            let due = placed(of: app).filter { $0.release(after: kernel.now, limit: limit) == kernel.now }
            guard !due.isEmpty else { continue }
            let entry = life.traces.begin(event: "WidgetKit", of: app.bundle.bundleID)
            entry.note("the budget allows a reload that was held")
            reload(due.map(\.id), of: app, isFree: false, entry)
        }
    }

    // MARK: pushes

    /// Handles a push of type `widgets`, and notes in its trace entry what happened to it.
    ///
    /// - Returns: whether the push is for widgets; `false` leaves the push to the caller.
    func receive(_ push: IncomingPush, of app: InstalledApp, _ entry: TraceEntry) -> Bool {
        guard push.pushType == .widgets else { return false }
        if let why = WidgetPush.refusal(of: push.payload, rules: kernel.rules) ?? refusal(of: push, app) {
            entry.finish(note: why)
            return true
        }
        let reloadsAll = kernel.rules.widgetPushReloadsAll
        let ids = placed(of: app).filter { reloadsAll || hasHandler($0, of: app) }.map(\.id)
        let isInFront = life.runningState(of: app).isForeground && kernel.rules.keeps(.foregroundReloadIsFree)
        reload(ids, of: app, isFree: isInFront, entry)
        return true
    }

    private func refusal(of push: IncomingPush, _ app: InstalledApp) -> String? {
        guard !placed(of: app).isEmpty else { return "ignored: no widget of the app is on the phone" }
        guard needsToken(app) else {
            return "ignored: no widget of the app on the phone has a push handler (WidgetLayout.init(…pushHandler:))"
        }
        guard let token = push.token, token != self.token(of: app) else { return nil }
        return "ignored: it was not sent to the app's token for widgets"
    }

    /// Returns the reason why a real sender could not have sent this push directly to the phone: there is no token for it.
    func missingToken(for push: IncomingPush) -> String? {
        guard push.pushType == .widgets, push.token == nil, let app = apps[push.topic], token(of: app) == nil else {
            return nil
        }
        guard needsToken(app) else {
            return
                "did not arrive: the app has no token for widgets, since no widget with a push handler is on the phone"
        }
        return "did not arrive: the app has no token for widgets yet, because the phone was offline"
    }
}

extension PhoneWidget {
    /// The widget as the app's code sees it.
    fileprivate var info: WidgetInfo { WidgetInfo(kind: kind, family: family, number: id) }
}
