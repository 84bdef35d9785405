import CarillonAPNs
import CarillonCore

/// Stops sending to a device, or deletes it, for example because its token is no longer valid.
struct LosingTokens: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let removals: RemovalsTable
    private let deliveries: DeliveriesTable
    private let kept: KeptDeliveries

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        removals = RemovalsTable(session)
        deliveries = DeliveriesTable(session)
        kept = KeptDeliveries(session)
    }

    /// Stops sending to a device if APNs has rejected its token as no longer valid (410) or as unknown (`BadDeviceToken`).
    ///
    /// The function deletes the device instead if APNs does not know the token and has never accepted a push to it.
    func apply(_ verdict: SendVerdict, _ sent: SentPush, to device: DeviceRecord) throws {
        guard let rejection = sent.rejection else { return }
        // This answer is about a token that the device claims, not about its own token.
        guard sent.purpose != .tokenClaim else { return }
        let why = "the device's token is no longer valid (\(rejection.reason))"
        if case .retireToken(let moment) = verdict {
            // The device may have registered the token again after the time in APNs' answer.
            guard SendVerdict.retires(tokenRegistered: device.tokenVouched, since: moment) else { return }
            if device.state != .unregistered { session.tally.add(.unregistered, app: device.app.number) }
            try retire(device.id, as: .unregistered, reason: rejection.reason, why: why)
        } else if device.confirmed == nil {
            try delete(device.id, why: "APNs does not know the device's token (\(rejection.reason))")
        } else {
            try retire(device.id, as: .quarantined, reason: rejection.reason, why: why)
        }
    }

    /// Stops sending to a device until it registers again.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - state: the new state.
    ///   - reason: APNs' reason; `nil` if APNs has not rejected the token. The default is `nil`.
    ///   - why: the reason that the timelines show for the pushes that the function cancels.
    /// - Throws: the errors of the database.
    func retire(_ device: String, as state: DeviceRecord.State, reason: String? = nil, why: String) throws {
        try devices.retire(device, as: state, reason: reason)
        try emit(state == .quarantined ? .deviceQuarantined : .deviceGone, on: device, reason: reason, why: why)
        try kept.cancelWaiting(on: device, why: why)
    }

    /// Deletes an installation and cancels its waiting pushes.
    ///
    /// The timelines of the cancelled messages show the reason `why`, and stay in the store.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - why: the reason.
    ///   - isNews: whether the app's feed tells it; false for a device that the feed has told of as gone. The default is true.
    /// - Throws: the errors of the database.
    func delete(_ device: String, why: String, isNews: Bool = true) throws {
        if isNews { try emit(.deviceGone, on: device, why: why) }
        try kept.cancelWaiting(on: device, why: why)
        try deliveries.deleteOwn(of: device)
        try removals.drop(of: device)
        try ActivityPhonesTable(session).drop(of: device)
        try WidgetTokensTable(session).drop(of: device)
        try devices.delete(device)
    }

    private func emit(_ type: FeedEventType, on device: String, reason: String? = nil, why: String) throws {
        guard let row = try row("SELECT app, user FROM devices WHERE id = ?", [device]) else { return }
        session.emit(
            type, on: device, of: AppNumber(rawValue: try row["app"]), user: row.text("user"),
            FeedDetails(reason: reason, detail: why))
    }
}
