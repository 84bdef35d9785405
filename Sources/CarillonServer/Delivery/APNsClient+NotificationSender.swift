import CarillonAPNs
import CarillonCore

extension APNsClient: NotificationSender {
    public func send(_ push: ComposedPush) async -> SendOutcome {
        let notification = APNsNotification(
            deviceToken: push.token,
            topic: APNsNotification.topic(bundleID: push.app.topic, pushType: push.pushType),
            pushType: push.pushType, payload: APNsPayload(push.payload),
            priority: push.priority == 10 ? .immediate : .considerate,
            expiration: APNsExpiration(push.expiration), collapseID: push.collapseID,
            apnsID: push.apnsID)
        do {
            return SendOutcome(try await send(notification))
        } catch {
            return error.mayHaveArrived ? .unknown(error.code.description) : .notSent(error.code.description)
        }
    }
}

extension SendOutcome {
    init(_ outcome: APNsOutcome) {
        switch outcome {
        case .accepted(let apnsID, _): self = .accepted(apnsID: apnsID)
        case .rejected(let rejection):
            self = .rejected(
                SendRejection(
                    reason: rejection.reason, status: rejection.status, timestamp: rejection.timestamp))
        }
    }
}

extension APNsExpiration {
    fileprivate init(_ expiration: PushExpiration) {
        switch expiration {
        case .unspecified: self = .unspecified
        case .oneAttempt: self = .oneAttempt
        case .at(let moment): self = .at(moment)
        }
    }
}
