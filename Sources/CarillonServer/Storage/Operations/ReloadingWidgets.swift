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

    /// Queues a push for each token of the audience, in steps if there are many devices.
    func reload(_ new: NewWidgetReload) throws -> WidgetReloadReport {
        let app = new.app.number
        try AppsTable(session).require(app)
        let audiences = AudienceQuery(session)
        let devices = try audiences.count(new.audience, of: app)
        guard devices > 0 else {
            return WidgetReloadReport(
                devices: 0, tokens: 0, finished: true, reason: try audiences.reasonForNobody(in: new.audience, of: app))
        }
        let task = StepwiseWork.Reloading(
            app: app.rawValue, recipients: try DevicesInSteps(session).recipients(new.audience, of: app),
            controls: new.controls, until: new.until, devices: devices)
        let (work, isFinished) = try WorkingInSteps(session).start(.reload(task))
        guard case .reload(let begun) = work.task else { throw ServiceError(.storage, "the task has changed its kind") }
        return WidgetReloadReport(devices: devices, tokens: begun.tokens, finished: isFinished, reason: nil)
    }

    /// Performs one step; the position is the number, or the ordinal, of the last device.
    ///
    /// - Returns: whether the task is finished.
    func step(_ reloading: inout StepwiseWork.Reloading, _ position: inout String) throws -> Bool {
        guard now < reloading.until else { return true }
        let (devices, reached) = try DevicesInSteps(session).next(
            reloading.recipients, of: AppNumber(rawValue: reloading.app), after: Int64(position) ?? 0)
        for var stored in try tokens.tokens(ofDevices: devices, controls: reloading.controls) {
            stored.reload.ask(until: reloading.until, at: now)
            try tokens.keep(stored)
            try pushes.queue(stored, in: DeliveryLane(devices: reloading.devices))
            reloading.tokens += 1
        }
        room -= max(1, devices.count)
        guard let reached else { return true }
        position = "\(reached)"
        return false
    }

    /// Stores an installation's tokens for widgets and controls in the place of those that it had before.
    func keep(_ new: [WidgetToken], of device: DeviceRecord) throws {
        let (known, present) = (try Set(tokens.tokens(of: device.id)), Set(new))
        guard known != present else { return }
        for token in known.subtracting(present) { try tokens.delete(token, of: device.id) }
        for token in new where !known.contains(token) { try tokens.insert(token, of: device) }
    }
}
