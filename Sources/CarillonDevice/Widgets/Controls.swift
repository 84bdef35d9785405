import CarillonCore
import Foundation
@_spi(Simulation) import WidgetKit

/// The part of a phone that keeps the controls that the person has added, each with a token of its own.
@MainActor final class Controls: PushReceiver {
    struct AppState {
        /// The app's controls, in the order in which the person added them.
        var placed: [PhoneControl] = []
        /// The controls whose token is being fetched.
        var fetching: Set<String> = []
    }

    private let kernel: PhoneKernel
    private let device: DeviceState
    private let apps: InstalledApps
    private let life: AppLife
    private let connection: PushConnection
    private let extensions: WidgetExtensions
    private var perApp = PerApp(AppState())

    init(extensions: WidgetExtensions, connection: PushConnection) {
        kernel = extensions.kernel
        device = extensions.device
        apps = extensions.apps
        life = extensions.life
        self.connection = connection
        self.extensions = extensions
        connection.whenAttempted.append { [weak self] in self?.fetchTokens() }
    }

    // MARK: state

    func placed(of app: InstalledApp) -> [PhoneControl] { perApp[app].placed }

    /// Returns the app's controls as its code sees them.
    func infos(of app: InstalledApp) -> [ControlInfo] { placed(of: app).map(\.info) }

    private func layout(_ kind: String, of app: InstalledApp) -> ControlLayout? {
        app.bundle.controls.first { $0.kind == kind }
    }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        let kinds = Set(app.bundle.controls.map(\.kind))
        var lost: [Data] = []
        perApp.install(app, updating: old) { new, old in
            new.placed = old.placed.filter { kinds.contains($0.kind) }
            lost = old.placed.filter { !kinds.contains($0.kind) }.compactMap(\.token)
        }
        connection.retire(lost)
    }

    func deleted(_ app: InstalledApp) {
        connection.retire(placed(of: app).compactMap(\.token))
        perApp.remove(app)
    }

    // MARK: the person

    /// Adds a control, which the phone loads at once.
    ///
    /// - Throws: ``PhoneError`` (`noWidget`) if the app offers no such control.
    func add(_ kind: String, of app: InstalledApp) throws(PhoneError) -> PhoneControl {
        guard layout(kind, of: app) != nil else {
            let kinds = app.bundle.controls.map(\.kind).joined(separator: ", ")
            throw PhoneError(
                .noWidget, "\(app.bundle.bundleID) offers no control \(kind). AppBundle.controls lists: \(kinds).")
        }
        let control = PhoneControl(id: kernel.randomUUID().uuidString, kind: kind)
        perApp[app].placed.append(control)
        kernel.changed(.screen)
        let entry = life.traces.begin(event: "WidgetKit", of: app.bundle.bundleID)
        entry.note("the person added the control \(kind)")
        reload([control.id], of: app, entry)
        fetchTokens()
        return control
    }

    /// Removes a control.
    ///
    /// - Throws: ``PhoneError`` (`noWidget`) if the app has no such control.
    func remove(_ id: String, of app: InstalledApp) throws(PhoneError) {
        guard let index = perApp[app].placed.firstIndex(where: { $0.id == id }) else {
            throw PhoneError(.noWidget, "\(app.bundle.bundleID) has no control \(id) on the phone.")
        }
        let control = perApp[app].placed.remove(at: index)
        kernel.changed(.screen)
        guard let token = control.token else { return }
        connection.retire([token])
        tellHandler(of: control.kind, app)
    }

    // MARK: tokens

    /// Tells the push handler of a kind all controls that have this handler.
    private func tellHandler(of kind: String, _ app: InstalledApp) {
        guard let handler = layout(kind, of: app)?.handler else { return }
        let infos = placed(of: app).filter { layout($0.kind, of: app)?.handler?.type == handler.type }.map(\.info)
        extensions.call(app, "pushTokensDidChange") { handler.tell(infos) }
    }

    private func fetchTokens() {
        guard device.isPoweredOn, device.network.isOnline else { return }
        for app in apps.all {
            for control in placed(of: app) where control.token == nil && layout(control.kind, of: app)?.handler != nil {
                guard perApp[app].fetching.insert(control.id).inserted else { continue }
                fetchToken(of: control, app)
            }
        }
    }

    private func fetchToken(of control: PhoneControl, _ app: InstalledApp) {
        kernel.tasks.begin("the token of a control of \(app.bundle.bundleID)") { [self] in
            let result = await connection.newToken(.controls, for: app)
            perApp[app].fetching.remove(control.id)
            switch result {
            case .success(let token):
                guard let index = perApp[app].placed.firstIndex(where: { $0.id == control.id }) else {
                    return connection.retire([token])
                }
                perApp[app].placed[index].token = token
                tellHandler(of: control.kind, app)
            case .failure(let error):
                life.traces.begin(event: "WidgetKit", of: app.bundle.bundleID).finish(
                    note: "the control \(control.kind) gets no token: \(error.localizedDescription)")
            }
        }
    }

    // MARK: reloads

    /// Reloads the app's controls of a kind, or of all kinds, because the app's code asks for it.
    func reload(_ kind: String?, by process: RunningProcess) {
        guard let app = apps[process.bundle.bundleID] else { return }
        let ids = placed(of: app).filter { kind == nil || $0.kind == kind }.map(\.id)
        let entry = life.traces.begin(event: "ControlCenter", of: app.bundle.bundleID)
        guard !ids.isEmpty else {
            return entry.finish(note: "nothing to reload: no control \(kind.map { "\($0) " } ?? "")is on the phone")
        }
        reload(ids, of: app, entry)
    }

    private func reload(_ ids: [String], of app: InstalledApp, _ entry: TraceEntry) {
        for index in perApp[app].placed.indices where ids.contains(perApp[app].placed[index].id) {
            perApp[app].placed[index].reloadCount += 1
            entry.note("reloads the control \(perApp[app].placed[index].kind)")
        }
        kernel.tasks.begin("controls of \(app.bundle.bundleID)") { [self] in
            for id in ids { await load(id, of: app, entry) }
            entry.finish()
        }
    }

    private func load(_ id: String, of app: InstalledApp, _ entry: TraceEntry) async {
        guard apps.has(app), device.isPoweredOn, let control = placed(of: app).first(where: { $0.id == id }),
            let content = layout(control.kind, of: app)?.value,
            let value = await extensions.value(of: app, "currentValue", entry, content),
            let index = perApp[app].placed.firstIndex(where: { $0.id == id })
        else { return }
        perApp[app].placed[index].value = value
        kernel.changed(.screen)
    }

    // MARK: pushes

    /// Handles a push of type `controls`, and notes in its trace entry what happened to it.
    ///
    /// - Returns: whether the push is for controls; `false` leaves the push to the caller.
    func receive(_ push: IncomingPush, of app: InstalledApp, _ entry: TraceEntry) -> Bool {
        guard push.pushType == .controls else { return false }
        if let why = WidgetPush.refusal(of: push.payload, rules: kernel.rules) {
            entry.finish(note: why)
            return true
        }
        let able = placed(of: app).filter { layout($0.kind, of: app)?.handler != nil }
        let one = push.token.map { token in able.filter { $0.token == token } } ?? able
        guard !one.isEmpty else {
            let why =
                able.isEmpty
                ? "no control of the app with a push handler is on the phone"
                : "no control of the app has the token it was sent to"
            entry.finish(note: "ignored: \(why)")
            return true
        }
        reload((kernel.rules.keeps(.controlPushReloadsOne) ? one : placed(of: app)).map(\.id), of: app, entry)
        return true
    }

    /// Returns the reason why a real sender could not have sent this push directly to the phone: there is no token for it, or it
    /// names none of several.
    func missingToken(for push: IncomingPush) -> String? {
        guard push.pushType == .controls, push.token == nil, let app = apps[push.topic] else { return nil }
        let able = placed(of: app).filter { layout($0.kind, of: app)?.handler != nil }
        if able.isEmpty { return "did not arrive: no control with a push handler is on the phone" }
        if able.count > 1 {
            return "did not arrive: the app has \(able.count) controls, and the push names no token"
        }
        return able.first?.token == nil
            ? "did not arrive: the control has no token yet, because the phone was offline" : nil
    }
}

extension PhoneControl {
    /// The control as the app's code sees it.
    fileprivate var info: ControlInfo { ControlInfo(id: id, kind: kind, token: token) }
}
