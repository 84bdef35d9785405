import CarillonCore
@_spi(Simulation) import UserNotifications

/// The processes of the apps' widget extensions.
///
/// A process starts when the phone needs its code, and ends after ``PhoneRules/backgroundWakeSeconds`` in which the phone did not.
@MainActor final class WidgetExtensions: PartWithApps {
    struct AppState {
        var process: RunningProcess?
        var end: ScheduledAction?
    }

    let kernel: PhoneKernel
    let device: DeviceState
    let apps: InstalledApps
    let life: AppLife
    private let background: Background
    private var perApp = PerApp(AppState())

    init(background: Background) {
        kernel = background.kernel
        device = background.device
        apps = background.apps
        life = background.life
        self.background = background
    }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        if let old { end(of: old) }
        perApp.install(app, updating: old) { _, _ in }
    }

    func deleted(_ app: InstalledApp) {
        end(of: app)
        perApp.remove(app)
    }

    private func end(of app: InstalledApp) {
        perApp[app].end?.cancel()
        perApp[app].process?.end()
        perApp[app].process = nil
    }

    private func process(of app: InstalledApp) -> RunningProcess {
        perApp[app].end?.cancel()
        let running = perApp[app].process.flatMap { $0.gate.phase == .running ? $0 : nil }
        let process = running ?? life.startWidgetExtension(of: app)
        perApp[app].process = process
        perApp[app].end = kernel.schedule(afterSeconds: kernel.rules.backgroundWakeSeconds) { process.end() }
        return process
    }

    /// Calls code of the extension soon.
    func call(_ app: InstalledApp, _ name: String, _ body: @escaping @MainActor @Sendable () -> Void) {
        kernel.tasks.begin("the widget extension of \(app.bundle.bundleID)") { [self] in
            guard apps.has(app), device.isPoweredOn else { return }
            await kernel.call(process(of: app), name, body)
        }
    }

    /// Calls code of the extension, and waits for its result.
    ///
    /// - Returns: `nil` if the code gives no result in time; `entry` then says so.
    func value<Value: Sendable>(
        of app: InstalledApp, _ name: String, _ entry: TraceEntry,
        _ body: @escaping @MainActor @Sendable () async -> Value
    ) async -> Value? {
        let process = process(of: app)
        let handler: CompletionHandler<Value> = background.completionHandler(
            "the widget extension's \(name)", of: process, report: { entry.note($0.sentence) })
        await kernel.call(process, name) { Task { handler.call(await body()) } }
        return await handler.outcome().value
    }
}
