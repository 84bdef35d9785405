import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The handling of pushes that wake their app.
extension Pushes {
    func wake(_ push: PushUnderWay, then: @escaping Then) {
        let (app, entry) = (push.app, push.entry)
        let decision = WakeDecision.decide(
            WakeInput(
                state: life.runningState(of: app),
                hasBackgroundMode: app.bundle.backgroundModes.contains(.remoteNotification),
                isSilent: push.isSilent, isLowPowerModeOn: device.settings.isLowPowerModeOn,
                isBatteryCritical: device.isBatteryCritical,
                isBackgroundRefreshOn: device.settings(of: app).isBackgroundRefreshOn,
                isWithinBudget: perApp[app].budget.mayWake(at: kernel.now, limit: kernel.rules.silentWakesPerHour)),
            rules: kernel.rules)
        switch decision {
        case .none(let why):
            entry.update { $0.wake = .init(kind: .notWoken, why: why) }
            then()
        case .hold(let reason):
            hold(push, reason)
            then()
        case .callHandler(let why): callForWake(push, .called, why, then: then)
        case .launch(let why): callForWake(push, .launched, why, then: then)
        }
    }

    // MARK: calling the handler

    private func callForWake(_ push: PushUnderWay, _ kind: PushTrace.Wake.Kind, _ why: String, then: @escaping Then) {
        push.entry.update { $0.wake = .init(kind: kind, why: why) }
        if let process = life.process(of: push.app) {
            return callForWake(process, background.giveBackgroundTime(to: process), push, then: then)
        }
        kernel.tasks.goOn(push.task) { [self] in
            let hasOptions = kernel.rules.silentLaunchHasOptions
            let (process, grant) = await background.giveBackgroundTime(
                to: push.app, launchOptions: hasOptions ? [.remoteNotification: push.content.content.userInfo] : nil)
            callForWake(process, grant, push, then: then)
        }
    }

    private func callForWake(
        _ process: AppProcess, _ grant: ProcessGate.Grant, _ push: PushUnderWay, then: @escaping Then
    ) {
        let (app, entry) = (push.app, push.entry)
        background.noteProtectedFiles(in: entry)
        callFetchHandler(process, for: push, grant: grant) { [self] handler in
            background.follow(handler) { [self] outcome in
                if outcome.value == .failed {
                    perApp[app].budget.woke(at: kernel.now, cost: kernel.rules.costOfFailedWake - 1)
                }
                background.wakeEnded(entry, outcome, of: process, method: "didReceiveRemoteNotification:")
            }
            if push.isSilent { perApp[app].budget.woke(at: kernel.now) }
            then()
        }
    }

    /// Calls the app delegate's `didReceiveRemoteNotification` with a fetch completion handler.
    ///
    /// If the delegate implements only the older method, which has no completion handler, calls the older method instead, but
    /// only in the foreground; the answer is then `handled`.
    ///
    /// - Parameters:
    ///   - process: the app's process.
    ///   - push: the push.
    ///   - grant: the app's permission to run until it calls the handler; `nil` if the app needs none.
    ///   - then: called after the app delegate's method has returned; receives the completion handler that was passed to the app.
    func callFetchHandler(
        _ process: AppProcess, for push: PushUnderWay, grant: ProcessGate.Grant?,
        then: @escaping @MainActor (CompletionHandler<PushTrace.Wake.Answer>) -> Void
    ) {
        let entry = push.entry
        let handler: CompletionHandler<PushTrace.Wake.Answer> = background.completionHandler(
            "didReceiveRemoteNotification", of: process, grant: grant, twice: .fetchHandlerTwice,
            heard: { entry.update { $0.wake?.answerCount += 1 } }, report: { entry.note($0.sentence) })
        let method = OptionalMethod.Call(of: process.application.delegate)
        let payload = UncheckedUserInfo(push.content.content.userInfo)
        let newerWins = kernel.rules.keeps(.newerMethodWins)
        kernel.call(process, "didReceiveRemoteNotification") { [mailbox = kernel.mailbox] in
            let application = process.application
            if !newerWins {
                application.delegate?.application(application, didReceiveRemoteNotification: payload.value)
            }
            OptionalMethod.$call.withValue(method) {
                application.delegate?.application(
                    application, didReceiveRemoteNotification: payload.value,
                    fetchCompletionHandler: { result in
                        guard method.isMissing("fetchCompletionHandler") else { return handler.call(.init(result)) }
                        mailbox.post {
                            process.receiveByOlderMethod(payload) { handler.call($0 ? .handled : .notImplemented) }
                        }
                    })
            }
        } then: { _ in
            then(handler)
        }
    }

    // MARK: held pushes

    private func hold(_ push: PushUnderWay, _ reason: WakeDecision.Hold) {
        let app = push.app
        if let older = perApp[app].held, kernel.rules.keeps(.holdsOnlyTheNewest) {
            older.entry.update {
                $0.notes.append("the held push was dropped: a newer one took its place")
                $0.isFinished = true
            }
        }
        perApp[app].held = .init(push: push.push, entry: push.entry)
        push.entry.update { $0.wake = .init(kind: .held, why: reason.why) }
        guard reason == .budget, let next = perApp[app].budget.nextWake(after: kernel.now), budgetTimer == nil else {
            return
        }
        budgetTimer = kernel.schedule(at: next) { [weak self] in
            self?.budgetTimer = nil
            self?.releaseHeldPushes()
        }
    }

    func releaseHeldPushes() { for app in apps.all { releaseHeldPush(of: app) } }

    /// Decides again about the silent push that the phone holds back for the app.
    ///
    /// The phone delivers the push if the app is in front or may be woken now. Otherwise it holds the push back again, or drops
    /// the push.
    func releaseHeldPush(of app: InstalledApp) {
        guard let held = perApp[app].held, device.isPoweredOn,
            let content = try? PushContent(
                push: held.push, strings: app.place.strings(device.settings.locale), rules: kernel.rules)
        else { return }
        perApp[app].held = nil
        let task = kernel.tasks.began("the held push \(held.entry.number) of \(app.bundle.bundleID)")
        let push = PushUnderWay(
            push: held.push, content: content, app: app, entry: held.entry, task: task, reached: PendingAnswer())
        kernel.tasks.goOnLater(task) { [self] in wake(push) { [kernel] in kernel.tasks.ended(task) } }
    }

    /// Drops the silent push that the phone holds back for an app, because the person has force-quit the app.
    func dropHeldPush(of app: InstalledApp) {
        guard let held = perApp[app].held else { return }
        held.entry.update {
            $0.notes.append("the held push was lost: the person force-quit the app")
            $0.isFinished = true
        }
        perApp[app].held = nil
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
