import CarillonAPNs
import CarillonCore
import Foundation

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

extension APNsClient {
    /// Sends a request about a broadcast channel, and waits for its answer.
    ///
    /// - Parameters:
    ///   - request: the request. Broadcasts go to APNs' usual address, all others to the address that manages channels.
    ///   - id: the request's id.
    ///   - app: the app.
    /// - Returns: the answer.
    package func perform(_ request: ChannelCommand, id: UUID, for app: AppID) async -> ChannelAnswer {
        do {
            switch request {
            case .list:
                return ChannelAnswer(try await channels(bundleID: app.topic, requestID: id)) { .listed($0) }
            case .make:
                let made = try await createChannel(
                    bundleID: app.topic, storagePolicy: .mostRecentMessageStored, requestID: id)
                return ChannelAnswer(made) { .made($0) }
            case .delete(let channel):
                return ChannelAnswer(try await deleteChannel(channel, bundleID: app.topic, requestID: id)) { _ in .done
                }
            case .broadcast(let broadcast):
                let outcome = try await send(
                    APNsBroadcast(
                        channelID: broadcast.channel, bundleID: app.topic, payload: APNsPayload(broadcast.payload),
                        priority: broadcast.priority, expiration: .at(broadcast.until), requestID: id))
                if case .rejected(let rejection) = outcome { return ChannelAnswer(rejection) }
                return .done
            }
        } catch {
            return .failed(error.description, mayHaveArrived: error.mayHaveArrived)
        }
    }
}

extension ChannelAnswer {
    fileprivate init<Value>(_ outcome: APNsChannelOutcome<Value>, _ answer: (Value) -> ChannelAnswer) {
        switch outcome {
        case .done(let value): self = answer(value)
        case .rejected(let rejection): self.init(rejection)
        }
    }

    fileprivate init(_ rejection: APNsRejection) {
        self =
            rejection.reason == .channelNotRegistered
            ? .unknownChannel : .failed("\(rejection.reason.rawValue) (\(rejection.status))", mayHaveArrived: false)
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
        case .success(.accepted(let apnsID, let uniqueID)): self = .accepted(apnsID: apnsID, uniqueID: uniqueID)
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
