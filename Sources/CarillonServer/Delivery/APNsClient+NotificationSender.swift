import CarillonAPNs
import CarillonCore

extension APNsClient: NotificationSender {
    /// Sends over APNs; a deadline is ``APNsConfiguration/defaultDeadline``.
    public func send(_ push: ComposedPush) async -> SendOutcome {
        let notification = APNsNotification(
            deviceToken: push.token,
            topic: APNsNotification.topic(bundleID: push.app.topic, pushType: push.pushType), pushType: push.pushType,
            payload: APNsPayload(push.payload), priority: APNsPriority(rawValue: push.priority),
            expiration: push.expiration.map { .at($0) } ?? .unspecified, collapseID: push.collapseID,
            apnsID: push.apnsID)
        do throws(APNsError) {
            switch try await send(notification) {
            case .accepted(let apnsID, _):
                return .accepted(apnsID: apnsID)
            case .rejected(let rejection):
                return .rejected(
                    SendRejection(
                        reason: rejection.reason.rawValue, status: rejection.status, timestamp: rejection.timestamp))
            }
        } catch {
            return error.mayHaveArrived ? .unknown(error.message) : .notSent(error.message)
        }
    }
}
