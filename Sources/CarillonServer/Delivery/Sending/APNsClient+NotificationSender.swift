import CarillonAPNs
import CarillonCore

extension APNsClient: NotificationSender {
    package func send(_ push: ComposedPush) async -> SendOutcome {
        do {
            return SendOutcome(.success(try await send(push.notification)))
        } catch {
            return SendOutcome(.failure(error))
        }
    }

    package func send(_ pushes: [ComposedPush], answered: @escaping @Sendable ([PushAnswer]) -> Void) async {
        await send(pushes.map(\.notification)) { outcomes in
            answered(outcomes.map { PushAnswer(place: $0.place, outcome: SendOutcome($0.result)) })
        }
    }
}

extension ComposedPush {
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
            self = error.mayHaveArrived ? .unanswered(error.code.description) : .notSent(error.code.description)
        }
    }
}
