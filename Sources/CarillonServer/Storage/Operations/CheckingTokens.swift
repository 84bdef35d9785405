import CarillonAPNs
import CarillonCore

/// Pushes that find out whether a token is one, and whose: each app's wait for their turns.
struct CheckingTokens: SessionPart {
    let session: StoreSession
    private let apps: AppsTable
    private let devices: DevicesTable
    private let deliveries: DeliveriesTable
    private let own: OwnPushes

    init(_ session: StoreSession) {
        self.session = session
        apps = AppsTable(session)
        devices = DevicesTable(session)
        deliveries = DeliveriesTable(session)
        own = OwnPushes(session)
    }

    /// Notes that a device claims a token that another holds: a nonce goes to the token.
    func claim(
        _ token: DeviceToken, _ environment: APNsEnvironment, for device: DeviceRecord, nonce: String
    ) throws {
        try devices.claim(token, environment, for: device.id)
        guard try devices.mayPushClaim(to: token, app: device.app.number) else { return }
        try devices.noteClaimPush(nonce, of: device.id)
        try own.queueOwnPush(.tokenClaim, to: device.id, due: try apps.nextCheck(of: device.app.number))
    }

    /// An installation that nobody has seen may be made up: an empty push tells.
    ///
    /// One waiting check is enough, whatever token it will be sent to: nobody can make others wait by asking often.
    func queueCheck(_ device: DeviceRecord) throws {
        guard try !deliveries.isWaiting(.tokenCheck, device.id) else { return }
        try own.queueOwnPush(.tokenCheck, to: device.id, due: try apps.nextCheck(of: device.app.number))
    }
}
