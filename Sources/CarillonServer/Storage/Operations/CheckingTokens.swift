import CarillonAPNs
import CarillonCore

/// Queues pushes that find out whether a device token is valid and which installation holds it.
///
/// The checks of one app's tokens are spaced by ``StoreLimits/tokenCheckInterval``.
struct CheckingTokens: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let own: OwnPushes

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
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
        try own.queueCheck(.tokenClaim, of: device.id)
    }

    /// Queues an empty push to an installation, to check its token, because APNs has not accepted a push to this token yet.
    ///
    /// The function does nothing if such a push already waits, so that frequent requests of the installation cannot delay the
    /// checks of other devices.
    func queueCheck(_ device: DeviceRecord) throws {
        try own.queueCheck(.tokenCheck, of: device.id)
    }
}
