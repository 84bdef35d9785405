import CarillonCore
import CarillonMessaging
import CarillonProve

/// The possible steps, and what each of them does.
extension SDKWorld {
    package var steps: [SDKStep] {
        let plain = plainSteps
        guard adversitiesLeft > 0, plot.allows.contains(.pause) else { return plain }
        return plain + plain.flatMap(pauses)
    }

    /// The variants of a step that stop its work at one of its questions to the outside.
    private func pauses(_ step: SDKStep) -> [SDKStep] {
        guard step.with(SDKStep.Pause(question: 0, isDone: false)) != nil else { return [] }
        if case .deliver(let push, _) = step, copiesLeft[push] == 1, plot.allows.contains(.doubling),
            adversitiesLeft < 2
        {
            return []
        }
        var copy = self
        copy.play(step)
        return (0..<copy.run.questionCount).flatMap { number in
            [false, true].compactMap { step.with(SDKStep.Pause(question: number, isDone: $0)) }
        }
    }

    private func allows(_ occurrence: Scenario.Occurrence, costs adversities: Int = 0) -> Bool {
        plot.allows.contains(occurrence) && adversities <= adversitiesLeft
    }

    private var plainSteps: [SDKStep] {
        var steps: [SDKStep] = []
        for push in plot.pushes.indices where copiesLeft[push] > 0 && composedAt[push] != nil {
            if copiesLeft[push] == 1, plot.allows.contains(.doubling), adversitiesLeft == 0 { continue }
            steps.append(.deliver(push, nil))
        }
        for work in works where work.isSuspended { steps.append(.resume(work.id, nil)) }
        return steps + personsSteps + adverseSteps + timeSteps
    }

    private var personsSteps: [SDKStep] {
        var steps: [SDKStep] = []
        if allows(.open), app?.isFront != true { steps.append(.open(nil)) }
        if allows(.leave), app?.isFront == true { steps.append(.leave) }
        if allows(.tap) { steps += list.map { .tap($0.notification.identifier, nil) } }
        if allows(.read), app?.isFront == true {
            steps += Set(list.compactMap { $0.isWithheld ? nil : $0.notification.identifier }).sorted().map {
                .read($0, nil)
            }
        }
        if allows(.stopReceipts), app?.isFront == true, app?.contents.policy.writesReceipts == true {
            steps.append(.stopReceipts)
        }
        if allows(.signOut), app?.isFront == true, app?.contents.registration.user != nil {
            steps.append(.signOut(nil))
        }
        return steps
    }

    private var adverseSteps: [SDKStep] {
        var steps: [SDKStep] = []
        if app != nil, allows(.kill, costs: works.contains { $0.place == .app } ? 1 : 0) { steps.append(.kill) }
        let isExtensionBusy = works.contains { $0.place == .ext }
        if ext != nil, allows(.killExtension, costs: isExtensionBusy ? 1 : 0) { steps.append(.killExtension) }
        if isExtensionBusy, allows(.slowExtension) { steps.append(.giveUpExtension) }
        if allows(.network, costs: network == .good ? 1 : 0) {
            let others: [SDKStep.Network] = network == .good ? [.offline, .deaf, .refusing] : [.good]
            steps += others.map(SDKStep.network)
        }
        if allows(.fullDisk, costs: disk.isFull ? 0 : 1) { steps.append(.disk(isFull: !disk.isFull)) }
        return steps
    }

    private var timeSteps: [SDKStep] {
        var steps: [SDKStep] = []
        if allows(.expiry), let last = plot.pushes.compactMap(\.lastSecond).max(),
            now <= Self.beginning + .seconds(last)
        {
            steps.append(.waitForExpiry)
        }
        if allows(.retry), let moment = app?.retryAt, moment > now { steps.append(.waitForRetry) }
        if allows(.hour), works.isEmpty, app?.isFront != true { steps.append(.waitAnHour) }
        return steps
    }

    // MARK: Taking a step

    package mutating func take(_ step: SDKStep) -> StepReport {
        let sentence = sentence(step)
        play(step)
        readSavedContents()
        return report(sentence)
    }

    package func ending() -> StepReport {
        var copy = self
        copy.run = Run()
        copy.app?.wakeCount = 0
        (copy.network, copy.disk.isFull) = (.good, false)
        for index in copy.works.indices { copy.works[index].isSuspended = false }
        copy.runAll()
        if copy.app == nil {
            copy.launch(isFront: true)
        } else if copy.app?.isFront == false {
            copy.app?.isFront = true
            copy.reconcile()
        }
        copy.runAll()
        copy.tryAgain()
        copy.reconcile()
        copy.runAll()
        copy.tryAgain()
        copy.checkEnd()
        return copy.report("Nothing goes wrong any more, and the person opens the app")
    }

    /// Lets time pass until the SDK has nothing left to try again.
    private mutating func tryAgain() {
        for _ in 0..<4 {
            guard let moment = app?.retryAt else { return }
            now = max(now, moment)
            app?.retryAt = nil
            sendDue()
            runAll()
        }
    }

    private mutating func report(_ sentence: String) -> StepReport {
        var parts = [sentence]
        parts += run.effects
        if let paused = run.paused { parts.append("and then " + paused) }
        defer { run = Run() }
        return StepReport(
            sentence: parts.joined(separator: "; ") + ".", effects: run.effects + (run.paused.map { [$0] } ?? []),
            broken: run.broken, reached: run.reached)
    }

    mutating func play(_ step: SDKStep) {
        run = Run()
        run.pause = step.pause
        if step.pause != nil { adversitiesLeft -= 1 }
        app?.wakeCount = 0
        if wakesApp(step) { fireOverdueRetry() }
        switch step {
        case .deliver(let push, _): deliver(push)
        case .open:
            if app == nil {
                launch(isFront: true)
            } else {
                app?.isFront = true
                reconcile()
            }
        case .leave:
            app?.isFront = false
            save()
        case .kill: kill()
        case .tap(let identifier, _): tap(identifier)
        case .read(let identifier, _): if let id = try? MessageID(identifier) { readInApp(id) }
        case .signOut:
            now = now + .seconds(1)
            signOut()
        case .resume(let id, _): change(id) { $0.isSuspended = false }
        case .killExtension: killExtension()
        case .giveUpExtension: giveUpExtension()
        case .network(let next):
            if network == .good { adversitiesLeft -= 1 }
            network = next
        case .disk(let isFull):
            if isFull { adversitiesLeft -= 1 }
            disk.isFull = isFull
        case .waitForExpiry: waitForExpiry()
        case .waitForRetry: waitForRetry()
        case .waitAnHour: now = now + .seconds(3600)
        case .stopReceipts: stopReceipts()
        }
        runAll()
    }

    private mutating func deliver(_ push: Int) {
        now = now + .seconds(1)
        copiesLeft[push] -= 1
        let plan = plot.pushes[push]
        if plot.allows.contains(.doubling), copiesLeft[push] == 0 { adversitiesLeft -= 1 }
        var lessons = plan.removals.map(Self.lesson)
        if plan.id != nil, !plan.isNotice { lessons.append(.arrived(revision(of: push))) }
        if plan.kind == .alert, plan.skipsExtension { return arrive(Piece.Arrival(push: push)) }
        guard plan.kind != .alert else {
            start(
                "the extension's work on \(title(push))", in: .ext,
                [.treat(push), .extensionReceipts(push), .giveContent(push)], lessons: lessons)
            return
        }
        if app == nil { launch(isFront: false) }
        networkMayBeBack()
        if plan.kind == .silent { lessons.append(.mustShow(revision(of: push))) }
        start(
            "the app's work on \(title(push))",
            [.takeOver] + (plan.hasPicture ? [.picture(push: push)] : []) + [
                .lockList, .takeOver, .plan(.pushed(push)), .unlockList, .exchange(needsSync: false),
                .passPush(push),
                .waitForRequests, .saveWhatMatters, .complete,
            ], lessons: lessons)
    }

    private mutating func kill() {
        if works.contains(where: { $0.place == .app }) { adversitiesLeft -= 1 }
        app = nil
        let leaving = Set(works.filter { $0.place == .app }.map(\.id))
        works.removeAll { leaving.contains($0.id) }
        if let owner = listOwner, leaving.contains(owner) { listOwner = nil }
        if let owner = requestOwner, leaving.contains(owner) { requestOwner = nil }
        knowledge.ended(.app)
    }

    private mutating func killExtension() {
        if works.contains(where: { $0.place == .ext }) { adversitiesLeft -= 1 }
        giveUpExtension()
        ext = nil
        isExtensionSaved = true
        knowledge.ended(.ext)
    }

    private mutating func giveUpExtension() {
        for work in works where work.place == .ext {
            let push = work.pieces.compactMap { if case .giveContent(let push) = $0 { push } else { nil } }.first
            if let push { giveUp(work.id, push: push) }
        }
    }

    private mutating func tap(_ identifier: String) {
        guard let index = list.firstIndex(where: { $0.notification.identifier == identifier }) else { return }
        let listed = list.remove(at: index)
        // iOS takes it from the list, whichever version of the message it was.
        for push in plot.pushes.indices where plot.pushes[push].id?.rawValue == identifier {
            knowledge.seen.insert(revision(of: push))
        }
        if app == nil {
            launch(isFront: true, for: listed.isWithheld ? nil : listed.push)
        } else if app?.isFront == false {
            app?.isFront = true
            reconcile()
        }
        start("the tap on “\(identifier)”", [.takeOver, .respond(listed), .saveWhatMatters, .complete])
    }

    private mutating func waitForExpiry() {
        guard let last = plot.pushes.compactMap(\.lastSecond).max() else { return }
        now = Self.beginning + .seconds(last) + .milliseconds(1)
        guard app != nil else { return }
        start("the SDK's alarm", [.lockList, .plan(.listMayBeOld), .unlockList, .exchange(needsSync: false)])
    }

    /// Stops writing receipts, as `Carillon.writesReceipts` does.
    private mutating func stopReceipts() {
        knowledge.savedReceipts.subtract(app?.contents.policy.receipts.pending.map(\.id) ?? [])
        app?.contents.policy.writesReceipts = false
        app?.contents.policy.receipts.clear()
        save()
    }

    /// Whether iOS lets a suspended app run for a step.
    private func wakesApp(_ step: SDKStep) -> Bool {
        switch step {
        case .open, .tap: true
        case .deliver(let push, _): plot.pushes[push].kind != .alert
        default: false
        }
    }

    /// Lets the SDK try again at last, if its moment passed while iOS had suspended the app.
    private mutating func fireOverdueRetry() {
        guard let moment = app?.retryAt, moment <= now else { return }
        app?.retryAt = nil
        sendDue()
    }

    private mutating func waitForRetry() {
        guard let moment = app?.retryAt else { return }
        now = moment
        app?.retryAt = nil
        sendDue()
    }

    /// The beginning of the step's sentence.
    private func sentence(_ step: SDKStep) -> String {
        switch step {
        case .deliver(let push, _): "\(Self.capitalised(title(push))) arrives\(removalText(push))"
        case .open: app == nil ? "The person starts the app" : "The person comes back to the app"
        case .leave: "The person leaves the app"
        case .kill: "iOS ends the app"
        case .tap(let identifier, _): "The person taps “\(identifier)”"
        case .read(let identifier, _): "The person reads “\(identifier)” inside the app"
        case .signOut: "The person signs out"
        case .resume(let id, _): "Now \(work(id)?.title ?? "it") goes on (\(work(id)?.pending ?? "") until now)"
        case .killExtension: "iOS ends the extension's process"
        case .giveUpExtension: "The extension's time is over"
        case .network(.good): "The network is back"
        case .network(.offline): "The network is gone"
        case .network(.deaf): "Requests reach the service, but its answers are lost"
        case .network(.refusing): "The service is overloaded and refuses requests"
        case .disk(let isFull): isFull ? "The phone's disk is full" : "The phone's disk has room again"
        case .waitForExpiry: "Time passes, until the messages have expired"
        case .waitForRetry: "Time passes, until the SDK tries again"
        case .waitAnHour: "An hour passes"
        case .stopReceipts: "The person objects to receipts"
        }
    }

    private func removalText(_ push: Int) -> String {
        guard let removal = plot.pushes[push].removals.first else { return "" }
        return " and says that “\(removal.message)” was \(removal.reason == .read ? "read elsewhere" : "recalled")"
    }

    private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
