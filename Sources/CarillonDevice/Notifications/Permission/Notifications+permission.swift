@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// An app's permission to send notifications, and the sheet that asks the person for it.
extension Notifications {
    func settingValues(of bundleID: String) -> UNNotificationSettings.Values {
        apps[bundleID].map(settingValues) ?? .init()
    }

    func settingValues(of app: InstalledApp) -> UNNotificationSettings.Values {
        perApp[app].permission.settings(entitlements: app.bundle.entitlements, rules: kernel.rules)
    }

    func permission(of app: InstalledApp) -> Permission { perApp[app].permission }

    /// Changes the permission of an app, as the person does in Settings.
    func changePermission(of app: InstalledApp, _ edit: (inout Permission) -> Void) {
        let wasAllowed = perApp[app].permission.isAllowed
        edit(&perApp[app].permission)
        kernel.changed(.permission(bundleID: app.bundle.bundleID))
        guard wasAllowed, !perApp[app].permission.isAllowed, kernel.rules.switchedOffAppLosesList else { return }
        removeDelivered(
            nil, of: app.bundle.bundleID, because: "the person has switched the app's notifications off in Settings")
    }

    func requestAuthorization(
        _ options: UNAuthorizationOptions, from process: RunningProcess,
        answer: @escaping @MainActor @Sendable (Bool) -> Void
    ) {
        guard let app = apps[process.bundle.bundleID] else { return }
        if !perApp[app].permissionWaiters.isEmpty {
            perApp[app].permissionWaiters.append(.init(options: options, answer: answer))
            return
        }
        let entitlements = app.bundle.entitlements
        switch perApp[app].permission.requested(options, entitlements: entitlements, rules: kernel.rules) {
        case .answer(let granted):
            answer(granted)
            kernel.changed(.permission(bundleID: app.bundle.bundleID))
        case .prompt(let question):
            perApp[app].permissionWaiters.append(.init(options: options, answer: answer))
            perApp[app].openQuestion = question
            // Drops the waiting requests, because no process is left to receive the answer.
            process.onEnd { [weak self] in self?.perApp[app].permissionWaiters = [] }
            showWaitingPermissionSheet(for: app)
        }
    }

    /// Shows the waiting permission sheet of an app if the app is active; the sheet then makes the app inactive.
    func showWaitingPermissionSheet(for app: InstalledApp) {
        guard !perApp[app].permissionWaiters.isEmpty, screen.permissionSheet == nil, !device.isLocked,
            screen.frontApp == app.bundle.bundleID, let process = life.process(of: app),
            process.applicationState == .active
        else { return }
        ask(perApp[app].openQuestion, of: app)
        kernel.tasks.begin("applicationWillResignActive for the permission sheet") { [self] in
            await life.resignActive(process)
            // If the person answered the sheet before the app became inactive, the app becomes active again.
            if screen.permissionSheet == nil { await life.activate(process) }
        }
    }

    private func ask(_ question: PermissionSheet.Question, of app: InstalledApp) {
        screen.ask(PermissionSheet(bundleID: app.bundle.bundleID, appName: app.bundle.name, question: question))
    }

    /// Answers the permission sheet on the screen, as the person does; the next question follows, if there is one.
    ///
    /// - Throws: ``PhoneError`` (`noPermissionSheet`) if no permission sheet is on the screen.
    func answerPermission(allow: Bool) async throws(PhoneError) {
        guard let sheet = screen.permissionSheet, let app = apps[sheet.bundleID] else {
            throw PhoneError(
                .noPermissionSheet,
                "No permission sheet is on the screen of \(device.name): no app in front has asked for the first time.")
        }
        let waiters = perApp[app].permissionWaiters
        let next = perApp[app].permission.answered(
            sheet.question, allow: allow,
            options: waiters.reduce(into: UNAuthorizationOptions()) { $0.formUnion($1.options) },
            entitlements: app.bundle.entitlements, rules: kernel.rules)
        kernel.changed(.permission(bundleID: sheet.bundleID))
        if let next { return ask(next, of: app) }
        perApp[app].permissionWaiters = []
        screen.ask(nil as PermissionSheet?)
        for waiter in waiters { waiter.answer(perApp[app].permission.isAllowed) }
        if let process = life.process(of: app) { await life.activate(process) }
    }
}
