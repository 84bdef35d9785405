import CarillonAPNs
import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation
import Synchronization

/// APNs and the network between it and the phones: loses, doubles, delays and reorders pushes.
///
/// For a phone that cannot be reached it keeps one push for each app, the newest, as
/// [Apple documents](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
final class NetworkModel: NotificationSender {
    private struct Receiver {
        var deliver: (@Sendable (IncomingPush) -> Void)?
        var kept: ComposedPush?
    }

    private let faults: FaultModel
    private let clock: ManualClock
    private let runLog: RunLog
    private let receivers = Mutex<[DeviceToken: Receiver]>([:])
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
        if random.happens(conditions.losesOutcomes / 2) {
            runLog.add("APNs cannot be reached with \(name)")
            return .notSent("no connection")
        }
        let isLost = random.happens(conditions.losesPushes)
        let copies = isLost ? 0 : random.happens(conditions.doublesPushes) ? 2 : 1
        runLog.add("APNs takes \(name), and delivers it \(copies) times")
        for _ in 0..<copies {
            let delay = random.below(conditions.latestPushSeconds * 1000)
            launch(push, after: .milliseconds(Int64(delay)))
        }
        if random.happens(conditions.losesOutcomes) { return .unanswered("the answer was lost") }
        return .accepted(apnsID: push.apnsID)
    }

    private func launch(_ push: ComposedPush, after delay: Duration) {
        guard delay > .zero else { return arrive(push) }
        _ = clock.schedule(after: delay) { [weak self] in self?.arrive(push) }
    }

    private func arrive(_ push: ComposedPush) {
        let deliver = receivers.withLock { receivers -> (@Sendable (IncomingPush) -> Void)? in
            guard let receiver = receivers[push.token] else { return nil }
            if receiver.deliver == nil, push.expiration != .oneAttempt { receivers[push.token]?.kept = push }
            return receiver.deliver
        }
        deliver?(push.incoming)
    }

    // MARK: Phones

    func connect(_ token: DeviceToken, _ deliver: @escaping @Sendable (IncomingPush) -> Void) {
        let kept = receivers.withLock { receivers in
            let kept = receivers[token]?.kept
            receivers[token] = Receiver(deliver: deliver)
            return kept
        }
        guard let kept else { return }
        // APNs may deliver a stored push after its expiration.
        var random = faults.generator("kept \(kept.apnsID)")
        if case .at(let end) = kept.expiration, end < clock.now, random.happens(0.5) { return }
        deliver(kept.incoming)
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
            priority: priority.rawValue)
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

    func deviceToken(for request: TokenRequest) async throws -> Data { token.data }
    func follow(_ channels: [String], of bundleID: String, phone: String) async throws {}
    func invalidate(_ token: Data) async {}
    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async {
        network.connect(token, deliver)
    }
    func disconnect(phone: String) async { network.disconnect(token) }
}
