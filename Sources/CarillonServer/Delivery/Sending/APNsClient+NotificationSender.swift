import CarillonAPNs
import CarillonCore

extension APNsClient: NotificationSender {
    package func send(_ push: ComposedPush) async -> SendOutcome {
        let notification = APNsNotification(
            deviceToken: push.token,
            topic: APNsNotification.topic(bundleID: push.app.topic, pushType: push.pushType),
            pushType: push.pushType, payload: APNsPayload(push.payload), priority: push.priority,
            expiration: push.expiration, collapseID: push.collapseID, apnsID: push.apnsID)
        do {
            return switch try await send(notification) {
            case .accepted(let apnsID, _): .accepted(apnsID: apnsID)
            case .rejected(let rejection): .rejected(rejection)
            }
        } catch {
            return error.mayHaveArrived ? .unanswered(error.code.description) : .notSent(error.code.description)
        }
    }
}
