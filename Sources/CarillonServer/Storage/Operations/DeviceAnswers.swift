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

    /// Applies the decision on a push (``SendVerdict``) to the push's device.
    func follow(_ verdict: SendVerdict, _ sent: SentPush, _ device: DeviceRecord) throws {
        switch verdict {
        case .accepted: try noteAccepted(sent, device)
        case .quarantineToken, .retireToken: try losing.apply(verdict, sent, to: device)
        case .giveUp, .retry, .stopApp, .putBack, .cancel: break
        }
    }

    /// Records that APNs accepted a push to a device.
    ///
    /// The acceptance confirms the token, unless the device registered a token after the push was handed over. The function also
    /// stores the badge number that the push has set. An accepted fallback or notice shows that the device left a silent push
    /// unanswered, so the function increases the count of such pushes.
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
