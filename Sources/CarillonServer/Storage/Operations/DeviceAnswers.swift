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

    /// Decides what happens to a push after its outcome.
    ///
    /// APNs' rejection of a token concerns only that token. If the device has another token by now, or another APNs environment,
    /// the push is tried again, and then goes to the present token.
    ///
    /// - Parameters:
    ///   - sent: the push with its outcome.
    ///   - device: the device to which it was sent; `nil` if the device was deleted meanwhile.
    ///   - tries: the number of tries, including this one.
    ///   - rules: the limits of tries.
    /// - Returns: the decision.
    func verdict(on sent: SentPush, for device: DeviceRecord?, tries: Int, _ rules: SendingRules) -> SendVerdict {
        let verdict = sent.outcome.verdict(
            tokenRegistered: device?.tokenVouched ?? now, tries: tries, rules, at: sent.at)
        guard sent.purpose != .tokenClaim, let device, !sent.wasSent(to: device.token, in: device.environment) else {
            return verdict
        }
        return switch verdict {
        case .quarantineToken, .retireToken: .retry(mayHaveArrived: false)
        case .accepted, .giveUp, .retry, .stopApp, .putBack, .cancel: verdict
        }
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
    /// The acceptance confirms the device's token if the push was sent to this token, and unless the device has registered it
    /// again after the push was handed to the APNs client. The function also stores the badge number that the push has set.
    ///
    /// A device gets a fallback or a notice (``SecondPush``) only if it has left a silent push unanswered. So an accepted
    /// fallback or notice increases the device's count of unanswered silent pushes.
    private func noteAccepted(_ sent: SentPush, _ device: DeviceRecord) throws {
        if sent.purpose != .tokenClaim, device.confirmed == nil,
            sent.confirms(device.token, in: device.environment, registered: device.tokenRegistered)
        {
            try devices.confirm(device.id)
        }
        try devices.noteBadge(sent.badge, of: device.id)
        if sent.purpose == .fallback || sent.purpose == .notice {
            try devices.countSilent(device.id)
        }
    }
}
