import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation
import Synchronization

/// APNs and the air between it and the phones: takes pushes from the service and loses, doubles, delays and reorders
/// them. For a phone that cannot be reached it keeps one push for each app, the newest, as Apple's page has it.
final class Air: NotificationSender {
    private struct Receiver {
        var deliver: (@Sendable (IncomingPush) -> Void)?
        var kept: ComposedPush?
    }

    private let fate: Fate
    private let clock: ManualClock
    private let story: Story
    private let receivers = Mutex<[DeviceToken: Receiver]>([:])
    private let underWay = Mutex<[Int: ScheduledAction]>([:])
    private let lastNumber = Mutex(0)

    init(fate: Fate, clock: ManualClock, story: Story) {
        self.fate = fate
        self.clock = clock
        self.story = story
    }

    func send(_ push: ComposedPush) async -> SendOutcome {
        var chance = fate.generator("push \(push.apnsID)")
        let weather = fate.current
        let name = "\(push.pushType.rawValue) push \(push.collapseID)"
        if chance.happens(weather.losesOutcomes / 2) {
            story.tell("APNs cannot be reached with \(name)")
            return .notSent("no connection")
        }
        let isLost = chance.happens(weather.losesPushes)
        let copies = isLost ? 0 : chance.happens(weather.doublesPushes) ? 2 : 1
        story.tell("APNs takes \(name), and delivers it \(copies) times")
        for _ in 0..<copies {
            let delay = chance.below(weather.latestPushSeconds * 1000)
            launch(push, after: .milliseconds(Int64(delay)))
        }
        if chance.happens(weather.losesOutcomes) { return .unknown("the answer was lost") }
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
        // APNs may hand over what has expired (rule 32).
        var chance = fate.generator("kept \(kept.apnsID)")
        if case .at(let end) = kept.expiration, end < clock.now, chance.happens(0.5) { return }
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
            priority: priority)
    }
}

/// One phone's connection to the ``Air``.
final class AirLink: PushLink {
    private let air: Air
    private let token: DeviceToken

    init(air: Air, token: DeviceToken) {
        self.air = air
        self.token = token
    }

    func deviceToken(for request: TokenRequest) async throws -> Data { token.data }
    func invalidate(_ token: Data) async {}
    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async {
        air.connect(token, deliver)
    }
    func disconnect(phone: String) async { air.disconnect(token) }
}
