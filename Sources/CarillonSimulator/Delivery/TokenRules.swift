import CarillonCore

/// The checks `deviceToken` and `registration`.
extension DeviceStore {
    /// - Returns: the token, and the id of its device.
    func check(
        _ target: RequestTarget, bundleID: String, topic: String, environment: APNsEnvironment, at now: Timestamp
    ) throws(Rejection) -> (DeviceToken, String) {
        guard !target.deviceTokenText.isEmpty else {
            throw Rejection(.missingDeviceToken, by: .deviceToken, detail: "the path ends before the device token")
        }
        guard let token = DeviceToken(hex: String(target.deviceTokenText)) else {
            throw Rejection(
                .badDeviceToken, by: .deviceToken,
                detail: "the device token is not hexadecimal, or longer than 256 bytes")
        }
        guard let entry = tokens[token.hex] else {
            throw Rejection(.badDeviceToken, by: .registration, detail: "no device has ever had this token here")
        }
        guard entry.owner.environment == environment else {
            throw Rejection(
                .badDeviceToken, by: .registration,
                detail: "the token is for \(entry.owner.environment.rawValue), this host for \(environment.rawValue)")
        }
        guard entry.owner.bundleID == bundleID || entry.owner.bundleID == topic else {
            throw Rejection(
                .deviceTokenNotForTopic, by: .registration,
                detail: "the token belongs to \(entry.owner.bundleID), the push is for \(bundleID)")
        }
        if let end = entry.end, end.refusedFrom <= now {
            throw Rejection(
                end.reason, by: .registration, timestamp: end.since,
                detail: end.reason == .expiredToken ? "the token has expired" : "the app is no longer on the device")
        }
        return (token, devices[entry.device].id)
    }
}
