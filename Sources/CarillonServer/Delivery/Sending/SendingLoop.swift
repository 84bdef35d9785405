import CarillonCore

/// Decides what a sender does next: which deliveries to lease, which outcomes to store, and which other senders' leases
/// to take over.
///
/// A ``Lease`` is the exclusive right to send a push. The loop receives events and returns actions. It limits the
/// number of pushes in flight instead of sending in batches, so one lost answer delays no other push. It stops sending
/// before its leases end.
///
/// The loop keeps the pushes' outcomes until they are stored. After a request to end, it waits for APNs' answers and until the
/// store has the outcomes, but at most for ``DeliveryLimits/drainPatience``.
struct SendingLoop: Sendable {
    /// The waits and limits of the loop.
    struct Settings: Sendable {
        var lease = DeliveryLimits.leaseDuration
        var poll = DeliveryLimits.pollInterval
        var window = SendWindow()
        var group = DeliveryLimits.pushesTogether
        var groupBesideSingles = DeliveryLimits.pushesBesideSingleMessages
    }

    private let settings: Settings
    private(set) var gates = SendingGates()
    private(set) var window: SendWindow
    private var answers = AnswerWatch()
    private var rejections = RejectionWatch()
    private var bulkPlaces: BulkPlaces
    private var watch: SenderWatch
    /// This process's registration as a sender.
    ///
    /// The value is `nil` before the process has registered, and after another sender has taken over this process's pushes.
    private(set) var sender: JoinedSender?
    /// The time, on the monotonic clock, at which the sender's exclusive right to send its pushes ends (``Lease``).
    private(set) var leaseEnd = Duration.zero
    private var nextBeat = Duration.zero
    private var gone: [SenderBeat] = []
    private var unwritten = UnwrittenOutcomes()
    /// The kinds of work that the caller is doing now.
    private var under: Set<SendingWork> = []
    /// The times at which failed work may be tried again, on the monotonic clock.
    private var failedUntil: [SendingWork: Duration] = [:]
    private var mayBeDue = DueLanes.all
    private var wokenSinceClaim = false
    /// The greatest number of deliveries that the last claim (a request to lease due deliveries) could return.
    private var claimLimit = 0
    private var nextDue: Timestamp?
    /// The time, on the monotonic clock, at which the sender last leased a push of ``DeliveryLane/single``; `nil`
    /// before the first one.
    private var lastSingle: Duration?
    /// The time, on the monotonic clock, at which the sender ends at the latest; `nil` before a request to end.
    private var drainEnd: Duration?
    private var isDraining: Bool { drainEnd != nil }

    init(_ settings: Settings = Settings()) {
        self.settings = settings
        window = settings.window
        bulkPlaces = BulkPlaces(most: settings.window.bulkPlaces)
        watch = SenderWatch(lease: settings.lease)
    }

    /// Whether the loop has nothing to do until a later time or the next event.
    ///
    /// In that case, no work is in progress and no push is in flight.
    var isIdle: Bool {
        let inFlight = window.single + window.bulk - unwritten.count
        return under.isEmpty && inFlight == 0 && (!failedUntil.isEmpty || (unwritten.isEmpty && mayBeDue == .none))
    }

    /// Applies an event and returns the actions that follow.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - now: the time on the wall clock, for due times.
    ///   - uptime: the time on the monotonic clock, by which heartbeats, leases and waits are measured.
    /// - Returns: the actions, in the order in which the caller must do them.
    mutating func received(_ event: SendingEvent, now: Timestamp, uptime: Duration) -> [SendingAction] {
        var actions: [SendingAction] = []
        switch event {
        case .woken:
            mayBeDue = .all
            wokenSinceClaim = true
        case .credentialsChanged(let apps):
            for app in apps { gates.probeNow(app, at: uptime) }
            mayBeDue = .all
            wokenSinceClaim = true
        case .drain: drainEnd = drainEnd ?? uptime + DeliveryLimits.drainPatience
        case .joined(let joined): joinedAs(joined, uptime)
        case .alarmsKnown(let apps): gates.remember(apps)
        case .beaten(let others, let began): beaten(others, began, uptime)
        case .ended: actions += leave(.wasTakenOver)
        // The claim may have leased deliveries that this sender does not know. They would stay leased while the sender keeps its
        // number.
        case .claimUnknown: actions += leave(.claimUnknown)
        case .released(let other, let release): actions += released(other, release)
        case .claimed(let claim, let app):
            answers.sent(claim.deliveries, at: AnswerWatch.Moment(at: now, uptime: uptime))
            actions += claimed(claim, probe: app, uptime)
        case .answered(let pushes, let answered):
            answers.ended(pushes, at: AnswerWatch.Moment(at: now, uptime: uptime))
            measure(pushes, answered: answered, uptime)
            let hasMore = pushes.first.map { answers.isWaiting(for: $0.app) } ?? false
            actions += known(rejections.decided(pushes, hasMore: hasMore, at: uptime), now, uptime)
        case .settled(let pushes):
            done(.settling)
            window.giveBack(pushes)
            mayBeDue = mayBeDue(after: pushes, window)
        case .unsettled(let pushes, let why):
            unwritten.putBack(pushes, uptime)
            actions.append(failed(.settling, why, uptime))
        case .failed(let work, let why): actions.append(failed(work, why, uptime))
        }
        return actions + passed(now, uptime) + next(now, uptime)
    }

    /// Does the work that has become due.
    ///
    /// The function queues rejections that ``RejectionWatch`` has held back long enough, so that they are stored. It also stops
    /// the sending of apps whose APNs endpoint answers no push.
    private mutating func passed(_ now: Timestamp, _ uptime: Duration) -> [SendingAction] {
        known(rejections.released(at: uptime), now, uptime)
            + answers.silent(at: uptime).flatMap { changed(gates.fellSilent($0.app, since: $0.since.at, at: uptime)) }
    }

    /// Gives up the sender's registration, and returns the action that tells the operator `why`.
    ///
    /// The process then registers as a sender under another number.
    private mutating func leave(_ why: SendingNotice) -> [SendingAction] {
        under.subtract([.beating, .claiming])
        guard sender != nil else { return [] }
        sender = nil
        leaseEnd = .zero
        return [.tell(why)]
    }

    private mutating func joinedAs(_ joined: JoinedSender, _ uptime: Duration) {
        done(.joining)
        sender = joined
        // The sender may send only after its first heartbeat, because only a heartbeat gives the lease a known beginning.
        (leaseEnd, nextBeat) = (uptime, uptime)
        mayBeDue = .all
    }

    private mutating func beaten(_ others: [SenderBeat], _ began: Duration, _ uptime: Duration) {
        done(.beating)
        leaseEnd = began + settings.lease
        nextBeat = began + settings.lease / DeliveryLimits.beatsPerLease
        let known = Set(gone.map(\.sender))
        gone += watch.observe(others, began: began, ended: uptime).filter { !known.contains($0.sender) }
    }

    private mutating func failed(_ work: SendingWork, _ why: String, _ uptime: Duration) -> SendingAction {
        under.remove(work)
        failedUntil[work] = uptime + DeliveryLimits.storeFailureWait
        return .tell(.storeFailed(work, why))
    }

    private mutating func done(_ work: SendingWork) {
        under.remove(work)
        failedUntil[work] = nil
    }

    private mutating func released(_ other: SenderBeat, _ release: SenderRelease) -> [SendingAction] {
        done(.releasing)
        if release.isDone { gone.removeAll { $0.sender == other.sender } }
        guard release.count > 0 else { return [] }
        mayBeDue = .all
        return [.tell(.tookOver(leases: release.count))]
    }

    private mutating func claimed(_ claim: Claim, probe: AppID?, _ uptime: Duration) -> [SendingAction] {
        done(.claiming)
        let found = claim.deliveries.count
        let singles = claim.deliveries.indices.count { claim.deliveries[$0].lane == .single }
        if singles > 0 { lastSingle = uptime }
        if probe != nil || wokenSinceClaim || claim.examined > found || singles >= claimLimit {
            // A probe that found nothing shows nothing about other apps.
            mayBeDue = .all
        } else {
            // Pushes of the single queue are claimed first. So if the claim found bulk pushes, or nothing, the single queue is
            // empty. Further bulk pushes wait until others are answered.
            mayBeDue = found > 0 ? .bulk : .none
        }
        nextDue = claim.nextDue
        window.take(claim.deliveries)
        guard claim.deliveries.isEmpty else { return [.send(claim.deliveries)] }
        let alarm = claim.isAnythingWaiting ? nil : probe.flatMap { gates.nothingWaits(of: $0) }
        return alarm.map { [.tell(.nothingWaits($0))] } ?? []
    }

    /// Queues outcomes to be stored, and applies them to the gates (``SendingGates``), which stop or restart an app's sending.
    private mutating func known(_ pushes: [SentPush], _ now: Timestamp, _ uptime: Duration) -> [SendingAction] {
        unwritten.append(pushes, uptime)
        guard !gates.isQuiet || !gates.alarming.isEmpty || !pushes.indices.allSatisfy({ pushes[$0].outcome.isAccepted })
        else { return [] }
        return pushes.flatMap { assess($0, now, uptime) }
    }

    /// Applies an outcome to the gates (``SendingGates``).
    ///
    /// If this stops or restarts an app's sending, the returned action tells the operator.
    private mutating func assess(_ push: SentPush, _ now: Timestamp, _ uptime: Duration) -> [SendingAction] {
        changed(gates.received(push.outcome, of: push.app, at: now, uptime: uptime))
    }

    private mutating func changed(_ change: SendingGates.Change?) -> [SendingAction] {
        switch change {
        case .closed(let alarm):
            // Other apps may now have more pushes in flight, because those of a stopped app do not count.
            mayBeDue = .all
            return [.tell(.cannotSend(alarm))]
        case .opened(let alarm):
            mayBeDue = .all
            return [.tell(.sendsAgain(alarm))]
        case nil: return []
        }
    }
}

extension SendingLoop {
    /// Returns the actions for all work that can start now, and records that this work is in progress.
    private mutating func next(_ now: Timestamp, _ uptime: Duration) -> [SendingAction] {
        if isDraining, window.isEmpty, under.isEmpty { return [.finish] }
        if let drainEnd, uptime >= drainEnd, !under.contains(.settling),
            unwritten.isEmpty || failedUntil[.settling] != nil
        {
            return giveUp() + [.finish]
        }
        failedUntil = failedUntil.filter { $0.value > uptime }
        var actions: [SendingAction] = []
        let group = group(uptime)
        let isWorthIt = unwritten.isWorthWriting(
            inFlight: window.single + window.bulk, part: min(window.bulkPart, group), uptime)
        if begin(.settling, if: isWorthIt) {
            let pushes = unwritten.take(group, uptime)
            actions.append(.settle(pushes, claiming: claim(after: pushes, now, uptime)))
        }
        if let sender = sender?.number {
            if begin(.beating, if: uptime >= nextBeat) { actions.append(.beat(sender)) }
            if let other = gone.first, begin(.releasing, if: true) { actions.append(.release(other)) }
            if let request = claim(sender, window, mayBeDue, now, uptime) { actions.append(.claim(request)) }
        } else if begin(.joining, if: !isDraining) {
            actions.append(.join)
        }
        return actions + [.look(at: nextLook(now, uptime))]
    }

    /// Returns actions that tell the operator what the sender leaves undone: pushes without an answer, and outcomes that are not
    /// stored.
    ///
    /// Another sender later sends the pushes of both kinds again.
    private func giveUp() -> [SendingAction] {
        let unanswered = window.single + window.bulk - unwritten.count
        return (unanswered > 0 ? [.tell(.leftUnanswered(pushes: unanswered))] : [])
            + (unwritten.isEmpty ? [] : [.tell(.gaveUp(outcomes: unwritten.count))])
    }

    /// Returns the greatest number of pushes to lease, or of outcomes to store, in one call to the store.
    ///
    /// With a larger number, each push costs less. While pushes of ``DeliveryLane/single`` go out, the number is smaller, so that
    /// each call is short and these pushes wait less.
    private func group(_ uptime: Duration) -> Int {
        isBesideSingles(uptime) ? settings.groupBesideSingles : settings.group
    }

    /// Returns whether the sender has recently leased pushes of ``DeliveryLane/single``, the queue for messages to few devices.
    private func isBesideSingles(_ uptime: Duration) -> Bool {
        lastSingle.map { uptime - $0 < DeliveryLimits.quietAfterSingleMessage } ?? false
    }

    /// Adapts ``BulkPlaces``, the limit on bulk pushes in flight, to the time that APNs took to answer the first of `pushes`.
    private mutating func measure(_ pushes: [SentPush], answered: Duration, _ uptime: Duration) {
        guard isBesideSingles(uptime), let push = pushes.first, push.outcome.hasLeft else { return }
        bulkPlaces.answered(after: answered - push.handOver.uptime, bulk: window.bulk, uptime)
    }

    private mutating func begin(_ work: SendingWork, if condition: Bool) -> Bool {
        guard condition, !under.contains(work), failedUntil[work] == nil else { return false }
        under.insert(work)
        return true
    }

    /// Returns the claim (the request to lease due deliveries) for the transaction that stores the outcomes of `pushes`; `nil`
    /// for none.
    ///
    /// The claim counts these pushes as no longer in flight.
    private mutating func claim(after pushes: [SentPush], _ now: Timestamp, _ uptime: Duration) -> ClaimRequest? {
        guard let sender else { return nil }
        var free = window
        free.giveBack(pushes)
        return claim(sender.number, free, mayBeDue(after: pushes, free), now, uptime)
    }

    /// Returns the queues (``DeliveryLane``) that may have due deliveries now that the outcomes of `pushes` are known.
    ///
    /// In the queue ``DeliveryLane/single``, a newer revision or a removal may have waited for one of these outcomes. If all
    /// outcomes are of bulk pushes, the next regular look at the store is early enough.
    private func mayBeDue(after pushes: [SentPush], _ window: SendWindow) -> DueLanes {
        let isOfMany = window.bulk > 0 && pushes.indices.allSatisfy { pushes[$0].lane == .bulk }
        return max(mayBeDue, isOfMany ? .bulk : .all)
    }

    private mutating func claim(
        _ sender: SenderNumber, _ window: SendWindow, _ mayBeDue: DueLanes, _ now: Timestamp, _ uptime: Duration
    ) -> ClaimRequest? {
        // Pushes of a stopped app that are in flight hinder no other push.
        let window = window.without(gates.closed)
        let bulkRoom = window.bulkRoom(of: isBesideSingles(uptime) ? bulkPlaces.count : window.bulkPlaces)
        let isFound = mayBeDue == .all || (mayBeDue == .bulk && bulkRoom > 0)
        let isDue = isFound || nextDue.map { $0 <= now } ?? false || gates.nextProbe.map { $0 <= uptime } ?? false
        guard !isDraining, isDue, window.room > 0,
            uptime < leaseEnd - DeliveryLimits.pushDeadline(underLease: settings.lease),
            begin(.claiming, if: true)
        else { return nil }
        wokenSinceClaim = false
        let group = group(uptime)
        var request = ClaimRequest(
            sender: sender, limit: min(window.claimRoom, group), bulkLimit: min(bulkRoom, group))
        claimLimit = request.limit
        request.except = gates.closed.union(window.full)
        request.bulkExcept = window.bulkFull
        if let app = gates.appToProbe(at: uptime) {
            gates.postponeProbe(of: app, at: uptime)
            (request.limit, request.bulkLimit) = (1, 1)
            request.except.remove(app)
            request.only = app
        }
        return request
    }

    private func nextLook(_ now: Timestamp, _ uptime: Duration) -> Timestamp {
        // Times in the past are left out: the work due then has begun, or waits for an event.
        let moments = [nextDue].compactMap { $0 }.filter { $0 > now }
        let held = [unwritten.writtenAt, drainEnd, answers.nextLook, rejections.nextRelease, gates.nextProbe]
            .compactMap(\.self)
        let waits = ([nextBeat] + failedUntil.values + held).filter { $0 > uptime }.map { now + ($0 - uptime) }
        return (moments + waits).reduce(now + settings.poll, min)
    }
}

/// The queues (``DeliveryLane``) that may have due deliveries: none, only the bulk queue, or both.
private enum DueLanes: Int, Comparable {
    case none, bulk, all

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
