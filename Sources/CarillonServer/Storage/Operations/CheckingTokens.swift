import CarillonAPNs
import CarillonCore

/// Queues pushes that find out whether a device token is valid and which installation holds it.
///
/// The checks of one app's tokens are spaced by ``StoreLimits/tokenCheckInterval``.
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

    /// Records that a device claims a token that another installation holds, and queues a push with a nonce to this token.
    ///
    /// The device gets the token when it sends the nonce back. The function queues no push if the service has pushed a nonce to
    /// this token within ``StoreLimits/tokenClaimInterval``.
    func claim(
        _ token: DeviceToken, _ environment: APNsEnvironment, for device: DeviceRecord, nonce: String
    ) throws {
        try devices.claim(token, environment, for: device.id)
        guard try devices.mayPushClaim(to: token, app: device.app.number) else { return }
        try devices.noteClaimPush(nonce, of: device.id)
        try own.queueOwnPush(.tokenClaim, to: device.id, due: try apps.nextCheck(of: device.app.number))
    }

    /// Queues an empty push to an installation, to check its token, because APNs has not accepted a push to this token yet.
    ///
    /// The function does nothing if such a push already waits, so that frequent requests of the installation cannot delay the
    /// checks of other devices.
    func queueCheck(_ device: DeviceRecord) throws {
        guard try !deliveries.isWaiting(.tokenCheck, device.id) else { return }
        try own.queueOwnPush(.tokenCheck, to: device.id, due: try apps.nextCheck(of: device.app.number))
    }
}
