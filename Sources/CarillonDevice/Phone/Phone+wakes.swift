import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Pushes that wake their app.
extension Phone {
    func wake(_ app: InstalledApp, for push: IncomingPush, _ pushed: PushContent, _ number: Int) async {
        let isSilent = !pushed.payload.aps.isVisible
        let decision = WakeDecision.decide(
            WakeInput(
                state: app.runningState,
                hasBackgroundMode: app.bundle.backgroundModes.contains(.remoteNotification),
                isSilent: isSilent, isLowPowerModeOn: isLowPowerModeOn,
                isBackgroundRefreshOn: app.isBackgroundRefreshOn,
                isWithinBudget: app.budget.mayWake(at: clock.now, perHour: rules.silentWakesPerHour)),
            rules: rules)
        switch decision {
        case .none(let why): update(number) { $0.wake = .init(kind: .notWoken, why: why) }
        case .hold(let why): hold(push, of: app, number, why)
        case .callHandler(let why):
            update(number) { $0.wake = .init(kind: .called, why: why) }
            await callForWake(app, pushed, number)
        case .launch(let why):
            update(number) { $0.wake = .init(kind: .launched, why: why) }
            await callForWake(app, pushed, number)
        }
        if isSilent, log.entry(number)?.wake?.kind == .called || log.entry(number)?.wake?.kind == .launched {
            app.budget.woke(at: clock.now)
        }
    }

    // MARK: calling the handler

    private func callForWake(_ app: InstalledApp, _ pushed: PushContent, _ number: Int) async {
        let (process, grant) = await giveBackgroundTime(
            to: app,
            launchOptions: rules.silentLaunchHasOptions ? [.remoteNotification: pushed.content.userInfo] : nil)
        noteProtectedFiles(number)
        let handler = await callFetchHandler(process, pushed.content.userInfo, grant: grant, number)
        follow(handler) { phone, outcome in
            if outcome.value == .failed { app.budget.woke(at: phone.clock.now, cost: phone.rules.costOfFailedWake - 1) }
            phone.wakeEnded(number, outcome, of: process, method: "didReceiveRemoteNotification:")
        }
    }

    /// Calls the newer method, and in the foreground the older one if the app has only that (rule 19).
    func callFetchHandler(
        _ process: AppProcess, _ userInfo: [AnyHashable: Any], grant: ProcessGate.Grant?, _ number: Int
    ) async -> CompletionHandler<PushTrace.Wake.Answer> {
        let handler: CompletionHandler<PushTrace.Wake.Answer> = completionHandler(
            "didReceiveRemoteNotification", of: process, grant: grant,
            heard: { phone in phone.update(number) { $0.wake?.answerCount += 1 } },
            report: { phone, problem in phone.note(problem.sentence, in: number) })
        let method = OptionalMethod.Call()
        let payload = UncheckedUserInfo(userInfo)
        let newerWins = rules.keeps(.newerMethodWins)
        await call(process) { [mailbox] in
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
                        if isMissing { mailbox.post { $0.callOlderMethod(process, payload) } }
                    })
            }
        }
        return handler
    }

    /// Rule 19: in the foreground only.
    private func callOlderMethod(_ process: AppProcess, _ payload: UncheckedUserInfo) {
        guard process.applicationState != .background else { return }
        ProcessScheduler.shared.run(as: process) {
            let application = process.application
            application.delegate?.application(application, didReceiveRemoteNotification: payload.value)
        }
    }

    // MARK: held pushes

    private func hold(_ push: IncomingPush, of app: InstalledApp, _ number: Int, _ why: String) {
        if let older = app.held, rules.keeps(.holdsOnlyTheNewest) {
            update(older.log) {
                $0.notes.append("the held push was dropped: a newer one took its place")
                $0.isFinished = true
            }
        }
        app.held = .init(push: push, log: number)
        update(number) { $0.wake = .init(kind: .held, why: why) }
        guard let next = app.budget.nextAt, budgetTimer == nil, !isLowPowerModeOn else { return }
        budgetTimer = clock.schedule(at: next) { [mailbox] in
            mailbox.post { phone in
                phone.budgetTimer = nil
                phone.releaseHeldPushes()
            }
        }
    }

    func releaseHeldPushes() { for app in apps.values { releaseHeldPush(of: app) } }

    /// Hands the app its held push, now that things are better or the person has opened it (rule 17).
    func releaseHeldPush(of app: InstalledApp) {
        guard let held = app.held, isPoweredOn,
            let pushed = try? PushContent(push: held.push, strings: app.bundle.strings, rules: rules)
        else { return }
        app.held = nil
        tasks.begin("the held push \(held.log) of \(app.bundle.bundleID)", on: self) { phone in
            await phone.wake(app, for: held.push, pushed, held.log)
        }
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
