import CarillonCore

/// Performs the checks ``RequestCheck/deviceToken``, ``RequestCheck/registration`` and ``RequestCheck/rate`` of a request.
extension DeviceStore {
    /// Checks that a request's device token was issued for the app, is valid in the environment, and has not ended.
    ///
    /// - Returns: the token and its entry in the token table.
    mutating func check(
        _ target: RequestTarget, for request: PushRequest, in environment: APNsEnvironment, at now: Timestamp
    ) throws(Rejection) -> (DeviceToken, TokenEntry) {
        guard !target.deviceTokenText.isEmpty else {
            throw Rejection(.missingDeviceToken, by: .deviceToken, detail: "the path ends before the device token")
        }
        guard let token = DeviceToken(hex: String(target.deviceTokenText)) else {
            throw Rejection(
                .badDeviceToken, by: .deviceToken,
                detail: "the device token is not hexadecimal, or longer than 256 bytes")
        }
        guard let entry = tokens.entry(of: token) else {
            throw Rejection(
                .badDeviceToken, by: .registration, detail: "no device of this simulator has had this token")
        }
        guard entry.owner.environment == environment else {
            throw Rejection(
                .badDeviceToken, by: .registration,
                detail: "the token is for \(entry.owner.environment.rawValue), this host for \(environment.rawValue)")
        }
        guard entry.owner.bundleID == request.bundleID || entry.owner.bundleID == request.topic else {
            throw Rejection(
                .deviceTokenNotForTopic, by: .registration,
                detail: "the token belongs to \(entry.owner.bundleID), the push is for \(request.bundleID)")
        }
        if let end = entry.end, end.refusedFrom <= now {
            throw Rejection(
                end.reason, by: .registration, timestamp: end.since,
                detail: end.reason == .expiredToken ? "the token has expired" : "the app is no longer on the device")
        }
        try checkRate(of: token, at: now)
        return (token, entry)
    }

    /// Makes a device for an unknown token to which a push comes (``SimulatorDoor/anyToken``).
    ///
    /// - Returns: the new device and the actions to perform; `nil` if the token is known or malformed, or if there are
    ///   ``SimulatorLimits/devicesOfUnknownTokens`` devices.
    mutating func adopt(
        _ target: RequestTarget, for request: PushRequest, in environment: APNsEnvironment
    ) -> (device: Int, [Action])? {
        let owner = TokenOwner(bundleID: request.bundleID, environment: environment)
        guard let token = DeviceToken(hex: String(target.deviceTokenText)), !hasIssued(token),
            devices.count < SimulatorLimits.devicesOfUnknownTokens, tokens.hasRoom(for: owner)
        else { return nil }
        // The token in hexadecimal is no other device's id, unless somebody has chosen it on purpose.
        let (issued, actions) = issueToken(device: token.hex, owner: owner, fresh: token)
        guard issued == token, let entry = tokens.entry(of: token) else { return nil }
        return (entry.device, actions)
    }

    /// Checks that a device token has not had too many requests (``RequestCheck/rate``).
    ///
    /// Apple's reason is "too many requests were made consecutively to the same device token".
    private mutating func checkRate(of token: DeviceToken, at now: Timestamp) throws(Rejection) {
        guard let budget = rules.requestBudget else { return }
        guard admitRequest(for: token, under: budget, at: now) else {
            throw Rejection(
                .tooManyRequests, by: .rate,
                detail: "more than \(budget.count) requests in \(budget.window) for this device token")
        }
    }
}
