import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Pushes that wake their app.
extension Phone {
    var suspendsAtOnce: Bool { rules.keeps(.suspendedAtOnce) }

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
        let grant: ProcessGate.Grant
        let process: AppProcess
        if let running = app.process {
            process = running
            grant = running.gate.grant()
            resumed(running)
        } else {
            var taken: ProcessGate.Grant?
            let options: [UIApplication.LaunchOptionsKey: Any]? =
                rules.silentLaunchHasOptions ? [.remoteNotification: pushed.content.userInfo] : nil
            process = await launch(app, options: options, isInFront: false) { taken = $0.gate.grant() }
            grant = taken ?? process.gate.grant()
        }
        if !isProtectedDataAvailable {
            update(number) { $0.notes.append("the phone is locked: protected files cannot be read (rule 38)") }
        }
        process.backgroundDeadline = clock.now + .seconds(rules.backgroundWakeSeconds)
        let timer = schedule(afterSeconds: rules.backgroundWakeSeconds) { [weak process] phone in
            if let process { phone.wakeExpired(process, grant, number) }
        }
        let answer = await callFetchHandler(process, pushed.content.userInfo, grant: grant, number: number)
        work.begin("the fetch handler of \(app.bundle.bundleID) for push \(number)", on: self) { phone in
            let outcome = await answer.wait()
            timer.cancel()
            process.gate.take(grant)
            phone.answered(number, outcome ?? .ended, of: app)
        }
    }

    /// Calls the newer method, and in the foreground the older one if the app has only that (rule 19).
    func callFetchHandler(
        _ process: AppProcess, _ userInfo: [AnyHashable: Any], grant: ProcessGate.Grant?, number: Int? = nil
    ) async -> PendingAnswer<PushTrace.Wake.Answer> {
        let answer = PendingAnswer<PushTrace.Wake.Answer>()
        let method = OptionalMethod.Call()
        let payload = UncheckedUserInfo(userInfo)
        let suspendsAtOnce = suspendsAtOnce
        process.onEnd { answer.close() }
        if let number { process.answers[number] = answer }
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
                        let count = answer.give(isMissing ? .notImplemented : .init(result))
                        if let grant, count == 1, suspendsAtOnce { process.gate.take(grant) }
                        if let number { mailbox.post { $0.noteAnswer(number, count) } }
                        if isMissing { mailbox.post { $0.callOlderMethod(process, payload) } }
                    })
            }
        }
        return answer
    }

    /// Rule 19: in the foreground only.
    private func callOlderMethod(_ process: AppProcess, _ payload: UncheckedUserInfo) {
        guard process.applicationState != .background else { return }
        ProcessScheduler.shared.run(as: process) {
            let application = process.application
            application.delegate?.application(application, didReceiveRemoteNotification: payload.value)
        }
    }

    private func noteAnswer(_ number: Int, _ count: Int?) {
        update(number) { trace in
            trace.wake?.answerCount += 1
            if let problem = HandlerProblem(count, of: "the fetch handler") { trace.notes.append(problem.sentence) }
        }
    }

    private func answered(_ number: Int, _ outcome: PushTrace.Wake.Answer, of app: InstalledApp) {
        app.process?.answers[number] = nil
        if outcome == .failed { app.budget.woke(at: clock.now, cost: rules.costOfFailedWake - 1) }
        let now = clock.now
        if outcome == .notImplemented { noteNearMisses(of: app, for: "didReceiveRemoteNotification:", number) }
        update(number) { trace in
            if trace.wake?.answer == nil { trace.wake?.answer = outcome }
            trace.wake?.answeredAt = now
            trace.isFinished = true
        }
        changed(.lifeCycle(bundleID: app.bundle.bundleID))
    }

    /// Rule 16: 30 seconds are over without an answer. An app in the background is terminated.
    private func wakeExpired(_ process: AppProcess, _ grant: ProcessGate.Grant, _ number: Int) {
        guard let app = apps[process.bundle.bundleID], app.process === process else { return }
        update(number) { trace in
            trace.wake?.answer = .never
            trace.notes.append(
                "the app did not call its completion handler within \(rules.backgroundWakeSeconds) s (rule 16)")
        }
        if process.applicationState == .background, rules.keeps(.wakeEndsInTermination) {
            update(number) { $0.notes.append("the app was terminated for it (rule 16)") }
            end(app)
        } else {
            process.answers[number]?.close()
        }
    }

    // MARK: held pushes

    private func hold(_ push: IncomingPush, of app: InstalledApp, _ number: Int, _ why: String) {
        if let older = app.held, rules.keeps(.holdsOnlyTheNewest) {
            update(older.log) {
                $0.notes.append("the held push was dropped: a newer one took its place (rule 17)")
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
        work.begin("the held push \(held.log) of \(app.bundle.bundleID)", on: self) { phone in
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
