import CarillonCore

/// Writes down what an answer of APNs means for the device.
struct DeviceAnswers: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let registering: Registering

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        registering = Registering(session)
    }

    /// Applies a verdict to the device of a push.
    func follow(_ verdict: SendVerdict, _ settlement: Settlement, _ device: DeviceRecord) throws {
        switch verdict {
        case .accepted: try noteAccepted(settlement, device)
        case .quarantineToken, .retireToken: try registering.apply(verdict, settlement, to: device)
        case .giveUp, .retry, .stopApp, .putBack, .cancel: break
        }
    }

    /// What the device has been told, and whether it answers.
    ///
    /// That is the number on its icon, and how often a visible push had to stand in for a silent one. And APNs knows its
    /// token, unless another was registered since.
    private func noteAccepted(_ settlement: Settlement, _ device: DeviceRecord) throws {
        if settlement.purpose != .tokenClaim, device.confirmed == nil, let sent = settlement.sent,
            device.tokenRegistered <= sent
        {
            try devices.confirm(device.id)
        }
        try devices.noteBadge(settlement.badge, of: device.id)
        if settlement.purpose == .fallback || settlement.purpose == .notice {
            try devices.countSilent(device.id)
        }
    }
}
