import CarillonCore
import CarillonMessaging
import CarillonProve

/// The service extension's work on an alert, in the order of `ExtensionWork`.
extension SDKWorld {
    mutating func carryOutInExtension(_ piece: Piece, _ id: Int) -> Bool {
        switch piece {
        case .treat(let push): treat(push, id)
        case .extensionReceipts(let push): return sendReceipts(push, id)
        case .extensionAnswer(let push, let answer, let receipts, let isRefused):
            heardInExtension(push, answer, receipts, isRefused: isRefused, id)
        case .giveContent(let push): giveContent(push, id)
        default: break
        }
        return true
    }

    private mutating func decideInExtension(
        _ id: Int, _ decision: @escaping (inout MessagePolicy, MessageMoment) -> MessagePlan
    ) {
        let suppresses = plot.suppresses
        let plan = updateExtension { [now] contents in
            let moment = MessageMoment(
                now: now, signedOut: contents.registration.isSignOutPending, maySuppress: suppresses)
            return decision(&contents.policy, moment)
        }
        change(id) { $0.first(plan.steps.map(Piece.step)) }
    }

    private mutating func treat(_ push: Int, _ id: Int) {
        let instructions = instructions(of: push)
        let contents = extensionContents()
        noteAlerted(id, in: .ext)
        reach("alert", instructions.message, in: contents.policy, moment(of: contents, isExtension: true))
        decideInExtension(id) { $0.alerted(instructions.message, instructions, $1) }
    }

    /// Carries out a step of a plan in the extension, as `PlanRunner` does.
    mutating func extensionStep(_ step: MessagePlan.Step, _ id: Int) -> Bool {
        switch step {
        case .decide(let next): decideInExtension(id) { next(&$0, (), $1) }
        case .tell(.treat(let treatment)): change(id) { $0.treatment = treatment }
        case .remove(let identifiers, let next):
            let question = ask(
                id, before: "iOS has not removed it yet",
                after: "iOS has removed it, and the extension has not heard so yet")
            guard question != .isPending else { return false }
            let found = list.filter { identifiers.contains($0.notification.identifier) }
            if !found.isEmpty { run.effects.append("the extension removes “\(found[0].notification.identifier)”") }
            list.removeAll { identifiers.contains($0.notification.identifier) }
            decideInExtension(id) { next(&$0, RemovalOutcome(found: found.map(\.notification)), $1) }
        case .find(_, let next), .findNew(_, let next): decideInExtension(id) { next(&$0, nil, $1) }
        case .readList(let next), .readPending(let next):
            let list = list.map(\.notification)
            decideInExtension(id) { next(&$0, list, $1) }
        case .add, .setBadge, .save, .takeOver, .tell: break
        }
        return true
    }

    private mutating func sendReceipts(_ push: Int, _ id: Int) -> Bool {
        let contents = extensionContents()
        let receipts = contents.policy.receipts.batch(at: now)
        guard contents.registration.confirmed != nil, !receipts.isEmpty else { return true }
        switch ask(id, before: "the request has not reached the service", after: "the service's answer has not come") {
        case .isPending: return false
        case .answered, .isDoneWithoutAnswer:
            var answer: SyncAnswer?
            if network == .good || network == .deaf {
                for receipt in receipts { serve(receipt) }
                answer = SyncAnswer(now: now, removals: service.outstanding, unread: service.hasUser ? 1 : nil)
            }
            let heard = network == .deaf ? nil : answer
            change(id) { [isRefused = network == .refusing] in
                $0.first([.extensionAnswer(push, heard, receipts, isRefused: isRefused)])
            }
            return true
        }
    }

    private mutating func heardInExtension(
        _ push: Int, _ answer: SyncAnswer?, _ receipts: [Receipt], isRefused: Bool, _ id: Int
    ) {
        guard let answer else {
            let failure = Self.failure(isRefused: isRefused, at: now)
            return updateExtension { _ = $0.policy.receipts.failed(receipts, failure) }
        }
        updateExtension { [now] contents in
            contents.policy.receipts.settled(receipts)
            contents.sync.answered()
            contents.policy.time.heard(answer.now, askedAt: answer.now, at: now)
        }
        change(id) { $0.lessons += answer.removals.map(Self.lesson) }
        let alert = plot.pushes[push].id
        decideInExtension(id) { $0.answered(answer, before: alert, $1) }
    }

    /// Gives iOS the content, and learns what the push has told.
    private mutating func giveContent(_ push: Int, _ id: Int) {
        guard var treatment = work(id)?.treatment else { return }
        if treatment == .asItIs || treatment == .quiet, let message = instructions(of: push).message {
            let suppresses = plot.suppresses
            let again = updateExtension { [now] contents in
                let moment = MessageMoment(
                    now: now, signedOut: contents.registration.isSignOutPending, maySuppress: suppresses)
                return contents.policy.alertedAgain(message, moment)
            }
            treatment = again ?? treatment
        }
        var arrival = Piece.Arrival(push: push)
        switch treatment {
        case .asItIs, .notice: break
        case .quiet: arrival.isQuiet = true
        case .withhold: (arrival.isQuiet, arrival.isWithheld) = (true, true)
        }
        let isSuppressed = plot.suppresses && (treatment == .withhold || treatment == .notice)
        if isSuppressed {
            run.effects.append("the extension keeps \(title(push)) from the person")
        } else {
            if treatment == .asItIs || treatment == .quiet, app?.isFront != true, !plot.pushes[push].isNotice {
                checkShown(
                    push, isLoud: treatment == .asItIs, in: .ext, alertedBefore: work(id)?.alertedBefore ?? [])
            }
            arrive(arrival)
        }
        complete(id)
    }

    /// Shows the original, because the extension's time is over.
    mutating func giveUp(_ id: Int, push: Int) {
        works.removeAll { $0.id == id }
        arrive(Piece.Arrival(push: push))
    }
}
