import CarillonAPNs
import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation
import Synchronization

/// APNs and the network between it and the phones: loses, doubles, delays and reorders pushes.
///
/// For a phone that cannot be reached it keeps one push for each app and for each token of a Live Activity, the newest, as
/// [Apple documents](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
final class NetworkModel: NotificationSender {
    private struct Receiver {
        var deliver: (@Sendable (IncomingPush) -> Void)?
        var kept: [DeviceToken: ComposedPush] = [:]
    }

    /// A token for Live Activities.
    private struct Activity {
        /// The device token of its app.
        var owner: DeviceToken
        var hasEnded = false
    }

    private let faults: FaultModel
    private let clock: ManualClock
    private let runLog: RunLog
    private let receivers = Mutex<[DeviceToken: Receiver]>([:])
    private let activities = Mutex<[DeviceToken: Activity]>([:])
    private let underWay = Mutex<[Int: ScheduledAction]>([:])
    private let lastNumber = Mutex(0)

    init(faults: FaultModel, clock: ManualClock, runLog: RunLog) {
        self.faults = faults
        self.clock = clock
        self.runLog = runLog
    }

    func send(_ push: ComposedPush) async -> SendOutcome {
        var random = faults.generator("push \(push.apnsID)")
        let conditions = faults.current
        let name = "\(push.pushType.rawValue) push \(push.collapseID)"
        if activities.withLock({ $0[push.token]?.hasEnded ?? false }) {
            return .rejected(
                APNsRejection(reason: .unregistered, status: 410, timestamp: clock.now, apnsID: push.apnsID))
        }
        if random.happens(conditions.losesOutcomes / 2) {
            runLog.add("APNs cannot be reached with \(name)")
            return .notSent("no connection")
        }
        let isLost = random.happens(conditions.losesPushes)
        let copies = isLost ? 0 : random.happens(conditions.doublesPushes) ? 2 : 1
        runLog.add("APNs takes \(name), and delivers it \(copies) times")
        for _ in 0..<copies {
            launch(push, after: .milliseconds(Int64(random.below(conditions.latestPushSeconds * 1000))))
        }
        if random.happens(conditions.losesOutcomes) { return .unanswered("the answer was lost") }
        return .accepted(apnsID: push.apnsID)
    }

    private func launch(_ push: ComposedPush, after delay: Duration) {
        guard delay > .zero else { return arrive(push) }
        _ = clock.schedule(after: delay) { [weak self] in self?.arrive(push) }
    }

    private func arrive(_ push: ComposedPush) {
        let owner = activities.withLock { $0[push.token]?.owner } ?? push.token
        let deliver = receivers.withLock { receivers -> (@Sendable (IncomingPush) -> Void)? in
            guard let receiver = receivers[owner] else { return nil }
            if receiver.deliver == nil, push.expiration != .oneAttempt { receivers[owner]?.kept[push.token] = push }
            return receiver.deliver
        }
        deliver?(push.incoming)
    }

    // MARK: Phones

    func connect(_ token: DeviceToken, _ deliver: @escaping @Sendable (IncomingPush) -> Void) {
        let kept = receivers.withLock { receivers in
            let kept = receivers[token]?.kept ?? [:]
            receivers[token] = Receiver(deliver: deliver)
            return kept
        }
        for (_, push) in kept.sorted(by: { $0.key.hex < $1.key.hex }) {
            // APNs may deliver a stored push after its expiration.
            var random = faults.generator("kept \(push.apnsID)")
            if case .at(let end) = push.expiration, end < clock.now, random.happens(0.5) { continue }
            deliver(push.incoming)
        }
    }

    /// Returns a new token for Live Activities of the app with a device token.
    func activityToken(of owner: DeviceToken) -> Data {
        activities.withLock { activities in
            let data = owner.data + Data(" activity \(activities.count)".utf8)
            if let token = DeviceToken(data) { activities[token] = Activity(owner: owner) }
            return data
        }
    }

    /// Ends a token for Live Activities; other tokens stay valid.
    func invalidate(_ token: Data) {
        guard let token = DeviceToken(token) else { return }
        activities.withLock { $0[token]?.hasEnded = true }
    }

    func disconnect(_ token: DeviceToken) {
        receivers.withLock { receivers in
            receivers[token, default: Receiver()].deliver = nil
        }
    }
}

extension ComposedPush {
    var incoming: IncomingPush {
        IncomingPush(
            topic: app.topic, pushType: pushType, payload: payload, collapseID: collapseID, apnsID: apnsID,
            priority: priority.rawValue, token: pushType == .liveactivity ? token.data : nil)
    }
}

/// One phone's connection to the ``NetworkModel``.
final class NetworkModelLink: PushLink {
    private let network: NetworkModel
    private let token: DeviceToken

    init(network: NetworkModel, token: DeviceToken) {
        self.network = network
        self.token = token
    }

    func deviceToken(for request: TokenRequest) async throws -> Data {
        request.topic.hasSuffix(".push-type.liveactivity") ? network.activityToken(of: token) : token.data
    }
    func follow(_ channels: [String], of bundleID: String, phone: String) async throws {}
    func invalidate(_ token: Data) async { network.invalidate(token) }
    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async {
        network.connect(token, deliver)
    }
    func disconnect(phone: String) async { network.disconnect(token) }
}
