import CarillonCore
import CarillonMessaging
import CarillonProve

/// The app's callbacks, in the order of `Carillon`, `MessageCenter` and `AppHandlers`.
extension SDKWorld {
    /// Lets the policy decide in the app, with the store's current contents.
    mutating func decide<Value>(_ decision: (inout MessagePolicy, MessageMoment) -> Value) -> Value? {
        guard var process = app else { return nil }
        let moment = moment(of: process.contents)
        app = nil  // Else changing it would copy it.
        let value = decision(&process.contents.policy, moment)
        app = process
        return value
    }

    /// Starts the app's process.
    mutating func launch(isFront: Bool, for push: Int? = nil) {
        readStore(isFront: isFront)
        if let push { start("the launch", [.takeOver, .passLaunch(push)]) }
        reconcile()
    }

    /// Starts the work with which a launch and entering the foreground begin.
    mutating func reconcile() {
        networkMayBeBack()
        start(
            "the app looks at the list",
            [
                .takeOver, .lockList, .plan(.reconciling), .unlockList, .saveWhatMatters, .startHandlers,
                .exchange(needsSync: true), .handOverUnreported, .waitForRequests,
            ])
    }

    mutating func networkMayBeBack() {
        app?.contents.registration.backoff.networkMayBeBack()
        app?.contents.policy.receipts.backoff.networkMayBeBack()
        app?.contents.sync.backoff.networkMayBeBack()
        app?.reads.backoff.networkMayBeBack()
    }

    mutating func carryOutInApp(_ piece: Piece, _ id: Int) -> Bool {
        switch piece {
        case .takeOver: takeOver()
        case .lockList:
            guard listOwner == nil else { return false }
            listOwner = id
        case .unlockList: listOwner = nil
        case .plan(let decision): plan(decision, id)
        case .answered(let step, let answer): follow(step, answer, id)
        case .picture(let push): return fetchPicture(push, id)
        case .passPush(let push): if work(id)?.isForApp == true { passPush(push, id) }
        case .passLaunch(let push): passLaunch(push, id)
        case .handOver(let key): return handOver(key, id)
        case .handOverUnreported: change(id) { $0.first($0.unreported.map(Piece.handOver)) }
        case .call(let key): return call(key, id)
        case .handled(let key): handled(key)
        case .present(let arrival): present(arrival, id)
        case .respond(let listed): respond(listed, id)
        case .startHandlers: startHandlers()
        case .save: save()
        case .saveWhatMatters: saveWhatMatters()
        case .waitForRequests: return work(id)?.requests.flatMap { work($0) } == nil
        case .complete: complete(id)
        default: break
        }
        return true
    }

    /// Notes what the SDK has learnt, now that it has answered iOS.
    func lessonsAreSaved(_ place: Work.Place) -> Bool { place == .app ? isAppSaved : isExtensionSaved }

    mutating func complete(_ id: Int) {
        guard let work = work(id) else { return }
        for lesson in work.lessons {
            knowledge.learn(lesson, in: work.place == .app ? .app : .ext, isSaved: lessonsAreSaved(work.place))
        }
    }

    // MARK: Plans

    private mutating func plan(_ decision: Piece.Decision, _ id: Int) {
        if case .pushed(let push) = decision, let app {
            reach("push", instructions(of: push).message, in: app.contents.policy, moment(of: app.contents))
        }
        if case .reconciling = decision { reachList() }
        let push: PushInstructions? = if case .pushed(let number) = decision { instructions(of: number) } else { nil }
        let plan = decide { policy, moment -> MessagePlan in
            switch decision {
            case .pushed: policy.pushed(push ?? PushInstructions(dialect: .foreign), moment)
            case .answered(let answer): policy.answered(answer, moment)
            case .reconciling: policy.reconciling()
            case .listMayBeOld: policy.listMayBeOld()
            case .notPresented(let identifier): policy.notPresented(identifier)
            case .presented(let identifier): policy.presented(identifier)
            case .prepared(let plan): plan
            case .removingMessages: .removingMessages
            }
        }
        if let plan { change(id) { $0.first(plan.steps.map(Piece.step)) } }
    }

    private mutating func reachList() {
        guard let app else { return }
        for listed in list {
            reach("list", listed.notification.message, in: app.contents.policy, moment(of: app.contents))
        }
    }

    /// Carries out a step of a plan in the app, as `PlanRunner` does.
    mutating func appStep(_ step: MessagePlan.Step, _ id: Int) -> Bool {
        let texts = Self.texts(step)
        switch step {
        case .decide(let next):
            noteAlerted(id, in: .app)
            follow(id) { next(&$0, (), $1) }
        case .takeOver: takeOver()
        case .tell(let notice): hear(notice, id)
        case .setBadge(_, let moment):
            // The simple phone keeps its list when the badge becomes 0.
            if app?.contents.policy.badge.accepts(composedAt: moment) == true {
                app?.contents.policy.badge.shown(composedAt: moment)
            }
        case .save:
            if case .step(.add(let notification, _)) = work(id)?.pieces.last, work(id)?.wasAsked == false {
                checkAdded(notification, id)
            }
            guard ask(id, before: texts.before, after: nil) == .answered else { return false }
            save()
        case .readPending: change(id) { $0.first([.answered(step, .list([]))]) }
        case .remove, .add, .find, .findNew, .readList:
            switch ask(id, before: texts.before, after: texts.after) {
            case .answered, .isDoneWithoutAnswer:
                let answer = answer(to: step)
                change(id) { $0.first([.answered(step, answer)]) }
            case .isPending: return false
            }
        }
        return true
    }

    /// Checks the promises about a notification that the SDK is about to add.
    private mutating func checkAdded(_ notification: LocalNotification, _ id: Int) {
        guard app?.isFront == false, let push = silentPush(notification) else { return }
        checkShown(push, isLoud: notification.sound != nil, in: .app, alertedBefore: work(id)?.alertedBefore ?? [])
    }

    func silentPush(_ notification: LocalNotification) -> Int? {
        let message = PushInterpreter().instructions(for: notification.userInfo).message
        return plot.pushes.indices.first { index in
            plot.pushes[index].kind == .silent && plot.pushes[index].id == message?.messageID
                && plot.pushes[index].revision == message?.revision
        }
    }

    /// Lets iOS carry out a step; returns its answer.
    private mutating func answer(to step: MessagePlan.Step) -> Piece.Answer {
        switch step {
        case .remove(let identifiers, _):
            let found = list.filter { identifiers.contains($0.notification.identifier) }
            if !found.isEmpty {
                run.effects.append(
                    "the SDK removes \(found.map { "“\($0.notification.identifier)”" }.joined(separator: ", "))")
            }
            list.removeAll { identifiers.contains($0.notification.identifier) }
            return .found(found.map(\.notification))
        case .add(let notification, _):
            if let push = silentPush(notification) {
                let isQuiet = notification.sound == nil
                arriveFromSDK(Piece.Arrival(push: push, isQuiet: isQuiet, local: notification))
            }
            return .refusal(nil)
        case .find(let identifier, _), .findNew(let identifier, _):
            return .notification(list.first { $0.notification.identifier == identifier }?.notification)
        case .readList, .readPending: return .list(list.map(\.notification))
        case .decide, .setBadge, .save, .takeOver, .tell: return .refusal(nil)
        }
    }

    private mutating func arriveFromSDK(_ arrival: Piece.Arrival) {
        guard app?.isFront == true else {
            putInList(arrival)
            run.effects.append("the SDK shows \(title(arrival.push))\(arrival.isQuiet ? " without a sound" : "")")
            if !arrival.isQuiet {
                knowledge.learn(.alerted(revision(of: arrival.push)), in: .app, isSaved: isAppSaved)
            }
            return
        }
        arrive(arrival)
    }

    private mutating func follow(_ id: Int, _ decide: (inout MessagePolicy, MessageMoment) -> MessagePlan) {
        if let plan = self.decide(decide) { change(id) { $0.first(plan.steps.map(Piece.step)) } }
    }

    private mutating func follow(_ step: MessagePlan.Step, _ answer: Piece.Answer, _ id: Int) {
        switch (step, answer) {
        case (.remove(_, let next), .found(let found)):
            follow(id) { next(&$0, RemovalOutcome(found: found), $1) }
        case (.add(_, let next), .refusal(let refusal)): follow(id) { next(&$0, refusal, $1) }
        case (.find(_, let next), .notification(let found)), (.findNew(_, let next), .notification(let found)):
            follow(id) { next(&$0, found, $1) }
        case (.readList(let next), .list(let list)), (.readPending(let next), .list(let list)):
            follow(id) { next(&$0, list, $1) }
        default: break
        }
    }

    private mutating func hear(_ notice: MessageNotice, _ id: Int) {
        switch notice {
        case .handOver: change(id) { $0.isForApp = true }
        case .handOverAll(let keys): change(id) { $0.unreported = keys }
        default: break
        }
    }

    /// The words of the story while a step waits for its answer.
    private static func texts(_ step: MessagePlan.Step) -> (before: String, after: String?) {
        switch step {
        case .remove: ("iOS has not removed it yet", "iOS has removed it, and the SDK has not heard so yet")
        case .add: ("iOS has not shown it yet", "iOS has shown it, and the SDK has not heard so yet")
        case .find, .findNew, .readList, .readPending:
            ("iOS has not read the list yet", "iOS has read the list, and the SDK has not got it yet")
        case .save: ("the disk has not written yet", nil)
        case .decide, .setBadge, .takeOver, .tell: ("", nil)
        }
    }

    // MARK: The app's own code

    private mutating func fetchPicture(_ push: Int, _ id: Int) -> Bool {
        guard let message = instructions(of: push).message, let app else { return true }
        let moment = moment(of: app.contents)
        reach("attachment", message, in: app.contents.policy, moment)
        guard app.contents.policy.wouldShow(message, moment) else { return true }
        return ask(id, before: "the picture has not been downloaded yet", after: nil) == .answered
    }

    private mutating func passLaunch(_ push: Int, _ id: Int) {
        guard let message = instructions(of: push).message, let app else { return }
        reach("launch", message, in: app.contents.policy, moment(of: app.contents))
        guard decide({ $0.mayReachApp(launchedFor: message, $1) }) == true else { return }
        passPush(push, id)
    }

    private mutating func passPush(_ push: Int, _ id: Int) {
        let payload = payload(of: push)
        let instructions = PushInterpreter().instructions(for: payload)
        guard let message = instructions.message else { return }
        var userInfo = payload
        switch message.presentation {
        case .local(let notification): userInfo = notification.userInfo
        case .nothing: return
        case .bySystem, .inApp: break
        }
        let item = HandOvers.Item(identifier: message.identifier, messageID: message.messageID, userInfo: userInfo)
        let key: HandOvers.Key?? = decide { policy, moment in
            guard policy.markReachedApp(message, payload: payload, moment) else { return nil }
            return policy.handOvers.add(item, at: moment.now)
        }
        if case .some(.some(let key)) = key { change(id) { $0.first([.handOver(key)]) } }
    }

    private mutating func take(_ identifier: String, _ payload: [String: JSONValue]) -> HandOvers.Key? {
        let message = PushInterpreter().instructions(for: payload).message
        let key: HandOvers.Key?? = decide { policy, moment in
            guard policy.markReachedApp(shown: identifier, revision: message?.revision, payload: payload) else {
                return nil
            }
            let item = HandOvers.Item(identifier: identifier, messageID: message?.messageID, userInfo: payload)
            return policy.handOvers.add(item, at: moment.now)
        }
        return key.flatMap(\.self)
    }

    private mutating func startHandlers() {
        app?.isStarted = true
        guard let app else { return }
        for key in app.contents.policy.handOvers.keys where !app.underWay.contains(key) {
            guard let item = app.contents.policy.handOvers[key], item.isGivenUp else { continue }
            self.app?.contents.policy.handOvers.remove(key)
        }
        reachHandOvers()
        let waiting = decide { $0.waiting($1) } ?? []
        let keys = waiting.filter { !app.underWay.contains($0) }
        if !keys.isEmpty { start("waiting messages go to the app", keys.map(Piece.handOver)) }
    }

    private mutating func reachHandOvers() {
        guard let policy = app?.contents.policy, let contents = app?.contents else { return }
        for key in policy.handOvers.keys {
            guard let item = policy.handOvers[key], item.reaction == nil else { continue }
            var message = PushInterpreter().instructions(for: item.userInfo).message
            message?.identifier = item.identifier
            reach("hand-over", message, in: policy, moment(of: contents))
        }
    }

    /// Waits while the handler already has this item; else counts the call, saves, and calls the handler.
    private mutating func handOver(_ key: HandOvers.Key, _ id: Int) -> Bool {
        guard app?.underWay.contains(key) == false else { return false }
        guard app?.contents.policy.handOvers[key] != nil else {
            save()
            return true
        }
        app?.underWay.insert(key)
        app?.contents.policy.handOvers.willCall(key)
        change(id) { $0.first([.call(key), .handled(key)]) }
        return true
    }

    private mutating func call(_ key: HandOvers.Key, _ id: Int) -> Bool {
        if work(id)?.wasAsked != true { save() }
        guard let item = app?.contents.policy.handOvers[key] else { return true }
        let question = ask(
            id, before: "the app's handler is about to be called", after: "the app's handler is running")
        guard question != .isPending else { return false }
        guard let contents = app?.contents, contents.policy.mayReachApp(waiting: key, moment(of: contents)) else {
            return true
        }
        let revision = PushInterpreter().instructions(for: item.userInfo).message?.revision ?? 1
        let push = plot.pushes.indices.first {
            plot.pushes[$0].id == item.messageID && plot.pushes[$0].revision == revision && !plot.pushes[$0].isNotice
        }
        guard let push else { return true }
        if item.reaction == nil {
            checkGiven(push)
            knowledge.callCounts[self.revision(of: push), default: 0] += 1
            run.effects.append("the app gets \(title(push))")
        } else {
            run.effects.append("the app is told of the tap on \(title(push))")
        }
        return true
    }

    private mutating func handled(_ key: HandOvers.Key) {
        let item = app?.contents.policy.handOvers[key]
        app?.contents.policy.handOvers.remove(key)
        app?.underWay.remove(key)
        save()
        guard let item, item.reaction == nil, let id = item.messageID else { return }
        let revision = PushInterpreter().instructions(for: item.userInfo).message?.revision ?? 1
        knowledge.learn(.given(MessageRevision(id, revision: revision)), in: .app, isSaved: isAppSaved)
    }

    // MARK: Notifications

    private mutating func present(_ arrival: Piece.Arrival, _ id: Int) {
        let userInfo: [String: JSONValue] =
            if let local = arrival.local { local.userInfo } else if arrival.isWithheld {
                instructions(of: arrival.push).message?.noticePayload ?? [:]
            } else { payload(of: arrival.push) }
        guard var message = PushInterpreter().instructions(for: userInfo).message, let app else { return }
        message.identifier = plot.pushes[arrival.push].id?.rawValue ?? ""
        reach("foreground", message, in: app.contents.policy, moment(of: app.contents))
        let presentation = decide { [message] in $0.presenting(message, $1) } ?? .full
        guard presentation != .nothing else {
            run.effects.append("the SDK keeps \(title(arrival.push)) from the person")
            change(id) { $0.first([.lockList, .plan(.notPresented(message.identifier)), .unlockList]) }
            return
        }
        let isQuiet = arrival.isQuiet || presentation == .quiet
        noteAlerted(id, in: .app)
        checkShown(arrival.push, isLoud: !isQuiet, in: .app, alertedBefore: work(id)?.alertedBefore ?? [])
        run.effects.append("\(title(arrival.push)) is shown in the app\(isQuiet ? " without a sound" : "")")
        let key = take(message.identifier, userInfo)
        var shown = arrival
        shown.isQuiet = isQuiet
        putInList(shown)
        let revision = revision(of: arrival.push)
        change(id) {
            if !isQuiet { $0.lessons.append(.alerted(revision)) }
            $0.first(
                [.lockList, .plan(.presented(message.identifier)), .unlockList] + (key.map { [.handOver($0)] } ?? []))
        }
    }

    private mutating func respond(_ listed: Listed, _ id: Int) {
        let (identifier, payload) = (listed.notification.identifier, listed.notification.userInfo)
        guard let message = listed.notification.message, let app else { return }
        reach("tap", message, in: app.contents.policy, moment(of: app.contents))
        let push = listed.push ?? pushNumber(of: listed.notification)
        let reaction = MessageReaction(.open, isReading: true)
        guard let (isForApp, reading) = decide({ $0.responded(message, reaction, $1) }) else { return }
        tell(reading)
        guard isForApp else {
            run.effects.append("the SDK drops the tap")
            return save()
        }
        checkOpened(listed, push)
        var pieces: [Piece] = []
        if let key = take(identifier, payload) { pieces.append(.handOver(key)) }
        let item = HandOvers.Item(
            identifier: identifier, messageID: message.messageID, userInfo: payload, reaction: .open, opensApp: true)
        if let key = decide({ $0.handOvers.add(item, at: $1.now) }) { pieces.append(.handOver(key)) }
        save()
        change(id) { $0.first([.exchange(needsSync: false)] + pieces + [.waitForRequests]) }
        guard let push else { return }
        let lesson = Lesson.removed(revision(of: push), isRead: true)
        change(id) { $0.lessons.append(lesson) }
    }

    /// Checks the promises about a tap that the app learns of.
    private mutating func checkOpened(_ listed: Listed, _ push: Int?) {
        if listed.isWithheld {
            broke(.withheldHasNoPayload, "The app got the payload of a message whose text was withheld.")
        }
        guard let push, let objection = objection(to: push, in: .app), let promise = objection.whenOpened else {
            return
        }
        broke(promise, "The app was told of a tap on \(title(push)), although \(objection.text).")
    }

    /// Queues a report of a message that was read, unless a receipt tells it.
    mutating func tell(_ reading: MessageReading?) {
        guard let reading else { return }
        let revision = MessageRevision(reading.id, revision: reading.revision)
        knowledge.seen.insert(revision)
        if !reading.hasReceipt { app?.reads.add(revision) }
    }

    mutating func readInApp(_ id: MessageID) {
        guard let (plan, reading) = decide({ $0.readInApp(id, listed: 1, $1) }) else { return }
        tell(reading)
        save()
        let lessons =
            reading.map { [Lesson.removed(MessageRevision($0.id, revision: $0.revision), isRead: true)] } ?? []
        start(
            "the app removes what was read",
            [.lockList, .plan(.prepared(plan)), .unlockList, .exchange(needsSync: false), .complete], lessons: lessons)
    }

    mutating func signOut() {
        app?.contents.registration.signedOut()
        _ = decide { $0.signOut(at: $1.now) }
        app?.reads = ReadLane()
        knowledge.seen = []
        start(
            "the sign-out",
            [
                .save, .lockList, .plan(.removingMessages), .unlockList, .complete, .exchange(needsSync: false),
            ], lessons: [.signedOut(now)])
    }
}
