import CarillonCore
import Foundation

/// Decides what follows from the outcome of one send.
///
/// Pure.
struct DeliveryRule: Sendable {
    var backoff = ServiceLimits.deliveryBackoff
    /// How long a silent push of an assured message waits for its receipt.
    var assuredWait: Duration

    /// What is to be written down, and whether the app's credential is at fault.
    struct Decision: Sendable, Hashable {
        var settlement: Settlement
        var health: CredentialHealth
    }

    enum CredentialHealth: Sendable, Hashable {
        case good
        case unknown
        /// APNs refuses the app's credential, with its reason.
        case refused(String)
        /// There is none, and why.
        case missing(String)
    }

    /// What follows from the outcome of one send.
    ///
    /// - Parameters:
    ///   - delivery: what was to be sent.
    ///   - push: what it was sent as.
    ///   - outcome: what came of it.
    ///   - sent: when it was handed to the sender.
    ///   - now: when the outcome was known.
    ///   - jitter: chance in `0..<1`, for the wait before a retry.
    /// - Returns: what to write down, and what the outcome says about the app's credential.
    func decide(
        _ delivery: ClaimedDelivery, _ push: ComposedPush, _ outcome: SendOutcome, sent: Timestamp, now: Timestamp,
        jitter: Double
    ) -> Decision {
        let wait = backoff.wait(failures: delivery.tries, jitter: jitter)
        var settlement = Settlement(
            number: delivery.number, revision: delivery.revision, attempt: delivery.attempt, sent: sent, at: now,
            apnsID: push.apnsID.lowercased, result: .accepted(fallbackDue: fallbackDue(delivery, now)),
            badge: Self.badge(delivery, push))
        var health = CredentialHealth.unknown
        switch outcome {
        case .accepted: health = .good
        case .notSent:
            settlement.sent = nil
            settlement.result = .retry(at: now + wait, rejection: nil, mayHaveArrived: false)
        case .noCredential(let why):
            settlement.sent = nil
            // It waits for the credential, not for its turn: when the app is let through again it goes at once.
            settlement.result = .retry(at: now, rejection: nil, mayHaveArrived: false)
            health = .missing(why)
        case .unknown:
            settlement.result =
                delivery.attempt < ServiceLimits.unansweredAttempts
                ? .retry(at: now + wait, rejection: nil, mayHaveArrived: true) : .unanswered
        case .rejected(let rejection):
            let verdict = RejectionVerdict(rejection, tokenRegistered: delivery.tokenRegistered)
            settlement.result = result(of: rejection, verdict, retryAt: now + wait)
            health = Self.health(verdict, rejection)
        }
        return Decision(settlement: settlement, health: health)
    }

    /// Only an alert push sets the number without any code of the app.
    private static func badge(_ delivery: ClaimedDelivery, _ push: ComposedPush) -> Settlement.BadgeEffect {
        guard push.pushType == .alert else { return .none }
        if delivery.purpose == .badge || delivery.message?.badgeIsUnreadCount == true {
            return delivery.unread.map(Settlement.BadgeEffect.unread) ?? .none
        }
        return delivery.message?.payload.aps.badge == nil ? .none : .sender
    }

    private static func health(_ verdict: RejectionVerdict, _ rejection: SendRejection) -> CredentialHealth {
        switch verdict {
        case .stopApp: .refused(rejection.reason.rawValue)
        case .retry: .unknown
        // What APNs says about a device or a payload, it says after it has accepted the credential.
        case .giveUp, .quarantine, .retireToken: .good
        }
    }

    private func result(of rejection: SendRejection, _ verdict: RejectionVerdict, retryAt: Timestamp)
        -> Settlement.Result
    {
        let said = Settlement.Rejection(reason: rejection.reason.rawValue, status: rejection.status)
        switch verdict {
        case .giveUp: return .rejected(said, .unaffected)
        case .quarantine: return .rejected(said, .quarantined)
        case .retireToken(let since): return .rejected(said, .invalidSince(since))
        case .retry, .stopApp: return .retry(at: retryAt, rejection: said, mayHaveArrived: false)
        }
    }
}
