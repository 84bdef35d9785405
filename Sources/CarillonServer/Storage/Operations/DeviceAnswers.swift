import CarillonCore

/// Updates devices according to APNs' answers to their pushes.
struct DeviceAnswers: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let losing: LosingTokens

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        losing = LosingTokens(session)
    }

    /// Makes the change to a device that follows from the verdict (``SendVerdict``) on a push to the device.
    ///
    /// For example, the function records that APNs has accepted the device's token, or stops sending to a rejected token.
    func follow(_ verdict: SendVerdict, _ sent: SentPush, _ device: DeviceRecord) throws {
        switch verdict {
        case .accepted: try noteAccepted(sent, device)
        case .quarantineToken, .retireToken: try losing.apply(verdict, sent, to: device)
        case .giveUp, .retry, .stopApp, .putBack, .cancel: break
        }
    }

    /// Records that APNs accepted a push to a device.
    ///
    /// The acceptance confirms the device's token, unless the device has registered a token after the push was handed to the APNs
    /// client. The function also stores the badge number that the push has set.
    ///
    /// A device gets a fallback or a notice (``SecondPush``) only if it has left a silent push unanswered. So an accepted
    /// fallback or notice increases the device's count of unanswered silent pushes.
    private func noteAccepted(_ sent: SentPush, _ device: DeviceRecord) throws {
        if sent.purpose != .tokenClaim, device.confirmed == nil, let handed = sent.handed,
            device.tokenRegistered <= handed
        {
            try devices.confirm(device.id)
        }
        try devices.noteBadge(sent.badge, of: device.id)
        if sent.purpose == .fallback || sent.purpose == .notice {
            try devices.countSilent(device.id)
        }
    }
}
