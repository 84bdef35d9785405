import CarillonAPNs
import CarillonCore

extension APNsClient: NotificationSender {
    package func send(_ push: ComposedPush) async -> SendOutcome { await send(push, within: nil) }

    /// Sends one push and waits for its answer.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - time: the time limit; `nil` for the client's default.
    /// - Returns: the outcome.
    func send(_ push: ComposedPush, within time: Duration?) async -> SendOutcome {
        do {
            return SendOutcome(.success(try await send(push.notification, deadline: time)))
        } catch {
            return SendOutcome(.failure(error))
        }
    }

    package func send(
        _ pushes: [ComposedPush], until deadline: SendDeadline,
        answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async {
        let notifications = ComposedPush.notifications(pushes)
        let left = deadline.left
        guard left > .zero else { return answered(pushes.indices.map { ($0, .notBegun) }) }
        await send(notifications, deadline: left) { outcomes in
            answered(outcomes.map { ($0.place, SendOutcome($0.result)) })
        }
    }
}

extension ComposedPush {
    /// Converts pushes to notifications for the APNs client.
    ///
    /// If a push differs from the previous push only in device and id, the function reuses the previous conversion. Nearly all
    /// pushes of a message to many devices differ only in this way.
    static func notifications(_ pushes: [ComposedPush]) -> [APNsNotification] {
        var notifications: [APNsNotification] = []
        notifications.reserveCapacity(pushes.count)
        for (index, push) in pushes.enumerated() {
            if index > 0, pushes[index - 1].says(sameAs: push) {
                var notification = notifications[index - 1]
                (notification.deviceToken, notification.apnsID) = (push.token, push.apnsID)
                notifications.append(notification)
            } else {
                notifications.append(push.notification)
            }
        }
        return notifications
    }

    /// Returns whether two pushes are equal except for device and `apns-id`.
    private func says(sameAs other: ComposedPush) -> Bool {
        payload == other.payload && collapseID == other.collapseID && app == other.app && pushType == other.pushType
            && priority == other.priority && expiration == other.expiration
    }

    fileprivate var notification: APNsNotification {
        APNsNotification(
            deviceToken: token, topic: APNsNotification.topic(bundleID: app.topic, pushType: pushType),
            pushType: pushType, payload: APNsPayload(payload), priority: priority, expiration: expiration,
            collapseID: collapseID, apnsID: apnsID)
    }
}

extension SendOutcome {
    fileprivate init(_ result: Result<APNsOutcome, APNsError>) {
        switch result {
        case .success(.accepted(let apnsID, _)): self = .accepted(apnsID: apnsID)
        case .success(.rejected(let rejection)): self = .rejected(rejection)
        case .failure(let error):
            self =
                switch error.code {
                case _ where error.mayHaveArrived: .unanswered(error.code.description)
                case .untrustedAuthority: .distrusted(error.message)
                case .otherHostName, .invalidServerCertificate: .distrusted(error.message, advice: error.advice)
                case .notSent: .unconnected(error.message)
                case .invalidNotification: .unsendable(error.message)
                default: .notSent(error.code.description)
                }
        }
    }
}
