import CarillonAPNs
import CarillonCore

/// Queues pushes that find out whether a token is valid and who holds it; each app's pushes go out one after the other.
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

    /// Notes that a device claims a token that another holds, and sends a nonce to the token.
    func claim(
        _ token: DeviceToken, _ environment: APNsEnvironment, for device: DeviceRecord, nonce: String
    ) throws {
        try devices.claim(token, environment, for: device.id)
        guard try devices.mayPushClaim(to: token, app: device.app.number) else { return }
        try devices.noteClaimPush(nonce, of: device.id)
        try own.queueOwnPush(.tokenClaim, to: device.id, due: try apps.nextCheck(of: device.app.number))
    }

    /// Queues an empty push that tells whether an unconfirmed installation has a real token.
    ///
    /// One waiting check is enough, whatever token it will be sent to, so that frequent requests cannot delay other devices'
    /// checks.
    func queueCheck(_ device: DeviceRecord) throws {
        guard try !deliveries.isWaiting(.tokenCheck, device.id) else { return }
        try own.queueOwnPush(.tokenCheck, to: device.id, due: try apps.nextCheck(of: device.app.number))
    }
}
