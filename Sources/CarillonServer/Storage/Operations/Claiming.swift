import CarillonCore

/// Claims due pushes for a sender: reserves them by a lease, so that no other sender sends them.
struct Claiming: SessionPart {
    let session: StoreSession
    private let senders: SendersTable
    private let apps: AppsTable
    private let chunks: ChunksTable
    private let channels: SendingChannels
    private let working: WorkingInSteps
    private let second: FeedingSecondPushes
    private let leasingRows: LeasingRows
    private let leasingRemovals: LeasingRemovals
    private let leasingChunks: LeasingChunks

    init(_ session: StoreSession) {
        self.session = session
        senders = SendersTable(session)
        apps = AppsTable(session)
        chunks = ChunksTable(session)
        channels = SendingChannels(session)
        working = WorkingInSteps(session)
        second = FeedingSecondPushes(session)
        leasingRows = LeasingRows(session)
        leasingRemovals = LeasingRemovals(session)
        leasingChunks = LeasingChunks(session)
    }

    // The order of these steps matters. SQL reads columns of chunks, so changed chunks are written back between steps.
    func claim(_ request: ClaimRequest) throws -> Claim {
        try foresee(first(for: request.sender))
        try senders.requireLive(request.sender)
        let carried = try working.goOn()
        // The tasks may have stopped chunks, which must not be handed over now. They may also have requested removals, which
        // travel with the next pushes.
        try chunks.keep()
        let open = try channels.openChannels(
            except: request.except.union(request.bulkExcept), only: request.only)
        let mayFeed = min(request.bulkLimit, request.limit)
        let fed = try second.feedFollowUps(open, limit: mayFeed)
        let waitingChannels = try channels.waitingChannels(except: request.except, only: request.only)
        var buckets = try apps.buckets()
        let due = try leasingRows.due(request, waitingChannels, &buckets)
        var claimed = try leasingRows.lease(due, to: request.sender)
        try foreseeRest(of: request, hasRoom: claimed.count < request.limit, waitingChannels)
        let isAlone = claimed.allSatisfy { $0.lane == .bulk }
        // A push of a single message goes out after this transaction, so the transaction claims fewer bulk pushes.
        let bulk = isAlone ? request.bulkLimit : min(request.bulkLimit, StoreLimits.pushesWithSingleMessage)
        let room = min(bulk - claimed.count { $0.lane == .bulk }, request.limit - claimed.count)
        let removing = try leasingRemovals.claimRemovals(request, limit: room, &buckets)
        let ranged = try leasingChunks.claimRanges(request, limit: room - removing.claimed.count, &buckets)
        try chunks.keep()
        // If the sender can take no further push now, it claims the next push when one of its pushes in flight has ended.
        let hasRoom = room > removing.claimed.count + ranged.claimed.count
        let next = hasRoom ? try leasingChunks.nextRangeDue(open, buckets, for: request.sender) : nil
        let waiting = try leasingRows.nextDue(
            in: waitingChannels, buckets, lanes: hasRoom ? DeliveryLane.allCases : [.single])
        claimed += removing.claimed
        let (work, nextWork) = (try working.nextWorkDue(), try working.nextDue())
        try apps.keep(buckets)
        return Claim(
            deliveries: claimed.isEmpty ? ranged.claimed : claimed + ranged.claimed,
            examined: due.count + carried + fed + removing.examined + ranged.examined,
            nextDue: [waiting, next, nextWork].compactMap(\.self).min(),
            isAnythingWaiting: !hasRoom || waiting != nil || next != nil || work != nil)
    }

    /// Returns the queries with which a claim begins.
    private func first(for sender: SenderNumber) -> [SQLStatement] {
        [
            SendersTable.live(sender), second.due, RemovedAppsTable.numbers, DeliveriesTable.waitingChannels,
            AppsTable.buckets,
        ] + working.first
    }

    /// Sends the queries that a claim needs after it has leased pushes with rows.
    private func foreseeRest(of request: ClaimRequest, hasRoom: Bool, _ channels: [Int64]) throws {
        let lanes: [DeliveryLane] = hasRoom ? DeliveryLane.allCases : [.single]
        let waiting = channels.flatMap { channel in lanes.map { DeliveriesTable.nextDue($0, in: channel) } }
        try foresee(waiting + WorkingInSteps.next + (hasRoom ? leasingChunks.first(for: request.sender) : []))
    }

    /// Returns the earliest time at which a push or a task falls due for any sender; `nil` if nothing waits.
    ///
    /// The result ignores the pushes of `apps`.
    func nextDue(except apps: Set<AppID>) throws -> Timestamp? {
        let waiting = try leasingRows.nextDue(in: channels.waitingChannels(except: apps), [:])
        let ranged = try leasingChunks.nextRangeDue(channels.openChannels(except: apps), [:], for: nil)
        return [waiting, ranged, try working.nextDue()].compactMap(\.self).min()
    }
}
