import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Pushes that wake their app.
extension Pushes {
    func wake(_ push: PushUnderWay) async {
        let (app, entry) = (push.app, push.entry)
        let decision = WakeDecision.decide(
            WakeInput(
                state: app.runningState,
                hasBackgroundMode: app.bundle.backgroundModes.contains(.remoteNotification),
                isSilent: push.isSilent, isLowPowerModeOn: device.settings.isLowPowerModeOn,
                isBackgroundRefreshOn: app.isBackgroundRefreshOn,
                isWithinBudget: app.budget.mayWake(at: kernel.now, perHour: kernel.rules.silentWakesPerHour)),
            rules: kernel.rules)
        switch decision {
        case .none(let why): entry.update { $0.wake = .init(kind: .notWoken, why: why) }
        case .hold(let why): hold(push, why)
        case .callHandler(let why): await callForWake(push, .called, why)
        case .launch(let why): await callForWake(push, .launched, why)
        }
    }

    // MARK: calling the handler

    private func callForWake(_ push: PushUnderWay, _ kind: PushTrace.Wake.Kind, _ why: String) async {
        let (app, entry, rules) = (push.app, push.entry, kernel.rules)
        entry.update { $0.wake = .init(kind: kind, why: why) }
        let (process, grant) = await life.giveBackgroundTime(
            to: app,
            launchOptions: rules.silentLaunchHasOptions
                ? [.remoteNotification: push.content.content.userInfo] : nil)
        life.noteProtectedFiles(in: entry)
        let handler = await callFetchHandler(process, for: push, grant: grant)
        life.follow(handler) { [kernel, life] outcome in
            if outcome.value == .failed {
                app.budget.woke(at: kernel.now, cost: kernel.rules.costOfFailedWake - 1)
            }
            life.wakeEnded(entry, outcome, of: process, method: "didReceiveRemoteNotification:")
        }
        if push.isSilent { app.budget.woke(at: kernel.now) }
    }

    /// Calls the newer method, and in the foreground the older one if the app has only that (rule 19).
    func callFetchHandler(
        _ process: AppProcess, for push: PushUnderWay, grant: ProcessGate.Grant?
    ) async -> CompletionHandler<PushTrace.Wake.Answer> {
        let entry = push.entry
        let handler: CompletionHandler<PushTrace.Wake.Answer> = life.completionHandler(
            "didReceiveRemoteNotification", of: process, grant: grant,
            heard: { entry.update { $0.wake?.answerCount += 1 } }, report: { entry.note($0.sentence) })
        let method = OptionalMethod.Call()
        let payload = UncheckedUserInfo(push.content.content.userInfo)
        let newerWins = kernel.rules.keeps(.newerMethodWins)
        await kernel.call(process, "didReceiveRemoteNotification") { [mailbox = kernel.mailbox] in
            let application = process.application
            if !newerWins {
                application.delegate?.application(application, didReceiveRemoteNotification: payload.value)
            }
            OptionalMethod.$call.withValue(method) {
                application.delegate?.application(
                    application, didReceiveRemoteNotification: payload.value,
                    fetchCompletionHandler: { result in
                        let isMissing = method.isMissing("fetchCompletionHandler")
                        handler.call(isMissing ? .notImplemented : .init(result))
                        if isMissing { mailbox.post { Self.callOlderMethod(process, payload) } }
                    })
            }
        }
        return handler
    }

    /// Rule 19: in the foreground only.
    private static func callOlderMethod(_ process: AppProcess, _ payload: UncheckedUserInfo) {
        guard process.applicationState != .background else { return }
        ProcessScheduler.shared.run(as: process, "didReceiveRemoteNotification") {
            let application = process.application
            application.delegate?.application(application, didReceiveRemoteNotification: payload.value)
        }
    }

    // MARK: held pushes

    private func hold(_ push: PushUnderWay, _ why: String) {
        let app = push.app
        if let older = app.held, kernel.rules.keeps(.holdsOnlyTheNewest) {
            older.entry.update {
                $0.notes.append("the held push was dropped: a newer one took its place")
                $0.isFinished = true
            }
        }
        app.held = .init(push: push.push, entry: push.entry)
        push.entry.update { $0.wake = .init(kind: .held, why: why) }
        guard let next = app.budget.nextAt, budgetTimer == nil, !device.settings.isLowPowerModeOn else { return }
        budgetTimer = kernel.schedule(at: next) { [weak self] in
            self?.budgetTimer = nil
            self?.releaseHeldPushes()
        }
    }

    func releaseHeldPushes() { for app in apps.all { releaseHeldPush(of: app) } }

    /// Hands the app its held push, now that things are better or the person has opened it (rule 17).
    func releaseHeldPush(of app: InstalledApp) {
        guard let held = app.held, device.isPoweredOn,
            let content = try? PushContent(
                push: held.push, strings: app.place.strings(device.settings.locale), rules: kernel.rules)
        else { return }
        app.held = nil
        let push = PushUnderWay(
            push: held.push, content: content, app: app, entry: held.entry, reached: PendingAnswer())
        kernel.tasks.begin("the held push \(held.entry.number) of \(app.bundle.bundleID)") { [self] in
            await wake(push)
        }
    }

    /// The person force-quit the app: what is held for it is lost (rule 17).
    func dropHeldPush(of app: InstalledApp) {
        guard let held = app.held else { return }
        held.entry.update {
            $0.notes.append("the held push was lost: the person force-quit the app")
            $0.isFinished = true
        }
        app.held = nil
    }
}

extension PushTrace.Wake.Answer {
    init(_ result: UIBackgroundFetchResult) {
        switch result {
        case .newData: self = .newData
        case .noData: self = .noData
        case .failed: self = .failed
        }
    }
}
