import CarillonCore

/// Reloads widgets and controls for backends, and keeps the tokens that phones register for them.
struct ReloadingWidgets: SessionPart {
    let session: StoreSession
    private let tokens: WidgetTokensTable
    private let pushes: WidgetPushes

    init(_ session: StoreSession) {
        self.session = session
        tokens = WidgetTokensTable(session)
        pushes = WidgetPushes(session)
    }

    /// Reloads as ``reload(_:counted:)`` does, or returns the answer to an earlier request with an equal idempotency key.
    ///
    /// - Throws: ``ReusedKey`` if the key came before with another body, and the errors of ``reload(_:counted:)``.
    func reloadOnce(_ new: NewWidgetReload, counted: Int?) throws -> WidgetReloadReport {
        guard let key = new.idempotencyKey else { return try reload(new, counted: counted) }
        let requests = MessagesTable(session)
        if let answer = try requests.answer(to: key, new.fingerprint) {
            return try CarillonJSON.decode(WidgetReloadReport.self, from: answer)
        }
        let report = try reload(new, counted: counted)
        try requests.remember(
            String(decoding: CarillonJSON.encode(report), as: UTF8.self), to: key, new.fingerprint)
        return report
    }

    /// Queues a push for each token of the audience, in steps if there are many devices.
    ///
    /// - Parameters:
    ///   - new: the request.
    ///   - counted: the number of the audience's devices, counted before this transaction; `nil` to count it now.
    /// - Returns: the report.
    /// - Throws: the errors of the database; ``ServiceError`` if too many reloads of the app are unfinished.
    func reload(_ new: NewWidgetReload, counted: Int?) throws -> WidgetReloadReport {
        let app = new.app.number
        try AppsTable(session).require(app)
        let audiences = AudienceQuery(session)
        let devices = try counted ?? audiences.count(new.audience, of: app)
        guard devices > 0 else {
            return WidgetReloadReport(
                devices: 0, tokens: 0, finished: true, reason: try audiences.reasonForNobody(in: new.audience, of: app))
        }
        let task = StepwiseWork.Reloading(
            app: app.rawValue, recipients: try DevicesInSteps(session).recipients(new.audience, of: app),
            controls: new.controls, until: new.until, devices: devices)
        // Few devices are done in this transaction.
        let isLong = devices > StoreLimits.devicesPerStep / StoreLimits.controlsPerDevice
        guard try !(isLong && isMerged(task)) else {
            return WidgetReloadReport(devices: devices, tokens: 0, finished: false, reason: nil)
        }
        let (work, isFinished) = try WorkingInSteps(session).start(.reload(task))
        guard case .reload(let begun) = work.task else { throw ServiceError(.storage, "the task has changed its kind") }
        return WidgetReloadReport(devices: devices, tokens: begun.tokens, finished: isFinished, reason: nil)
    }

    /// Leaves a request to an unfinished one with the same audience, which begins anew when it has reached its end.
    ///
    /// A hundred reloads of everyone in a minute are two tasks then, and not a hundred.
    ///
    /// - Returns: whether there was such a task.
    private func isMerged(_ new: StepwiseWork.Reloading) throws -> Bool {
        let open = try WorkTable(session).reloads(of: AppNumber(rawValue: new.app))
        for (number, work) in open {
            guard case .reload(var reloading) = work.task, reloading.isLike(new) else { continue }
            reloading.again = max(reloading.again ?? new.until, new.until)
            reloading.recipients = new.recipients
            var merged = work
            merged.task = .reload(reloading)
            try WorkTable(session).keep(merged, number)
            return true
        }
        guard open.count < StoreLimits.reloadsAtOnce else {
            throw ServiceError(.busy, "\(open.count) reloads of the app's widgets are unfinished")
        }
        return false
    }

    /// Performs one step; the position is the number, or the ordinal, of the last device.
    ///
    /// - Returns: whether the task is finished.
    func step(_ reloading: inout StepwiseWork.Reloading, _ position: inout String) throws -> Bool {
        guard now < reloading.until else {
            try finish(reloading)
            return true
        }
        // A phone may have ten controls of the kinds.
        let limit = reloading.controls == nil ? room : max(1, room / StoreLimits.controlsPerDevice)
        let (devices, reached) = try DevicesInSteps(session).next(
            reloading.recipients, of: AppNumber(rawValue: reloading.app), after: Int64(position) ?? 0, limit: limit)
        let found = try tokens.tokens(ofDevices: devices, controls: reloading.controls)
        for var stored in found {
            stored.reload.ask(until: reloading.until, at: now)
            try tokens.keep(stored)
            try pushes.queue(stored, in: DeliveryLane(devices: reloading.devices))
            reloading.tokens += 1
        }
        room -= max(1, devices.count, found.count)
        guard let reached else {
            try finish(reloading)
            return true
        }
        position = "\(reached)"
        return false
    }

    /// Ends a task.
    ///
    /// If a further request has come since it began, a new task follows all that is due by now.
    private func finish(_ reloading: StepwiseWork.Reloading) throws {
        guard let until = reloading.again else { return }
        var next = reloading
        (next.until, next.again, next.tokens) = (until, nil, 0)
        try WorkingInSteps(session).schedule(.reload(next), at: now)
    }

    /// Stores an installation's tokens for widgets and controls in the place of those that it had before.
    ///
    /// A reload that waits under a former token is sent to the new one.
    func keep(_ new: [WidgetToken], of device: DeviceRecord) throws {
        let known = try tokens.tokens(of: device.id)
        let (present, alive) = (Set(new), Set(known.filter { !$0.isDead }.map(\.token)))
        let lost = known.filter { !present.contains($0.token) }
        guard !lost.isEmpty || alive != present else { return }
        for former in lost { try tokens.delete(former.token, of: device.id) }
        for token in new where !alive.contains(token) {
            let waiting = lost.filter { $0.token.control == token.control }.compactMap(\.waitingUntil).max()
            try tokens.insert(token, of: device, waitingUntil: waiting)
        }
        try pushes.queue(on: device.id)
    }
}

extension StepwiseWork.Reloading {
    /// Whether another request is for the same app, audience and controls.
    fileprivate func isLike(_ other: Self) -> Bool {
        guard app == other.app, controls == other.controls else { return false }
        switch (recipients, other.recipients) {
        case (.everyone, .everyone): return true
        case (.matching(_, let one, _), .matching(_, let two, _)): return one == two
        case (.users(let one), .users(let two)), (.devices(let one), .devices(let two)): return one == two
        default: return false
        }
    }
}
