import CarillonAPNs
import CarillonCore
import Foundation

/// Pushes of one app that a sender has leased and hands to the APNs client together, at most
/// ``ServiceLimits/pushesPerHandOver``.
///
/// This type is a class, so that each push in flight needs only a reference to it and an index.
package final class HandOver: Sendable {
    /// The pushes; other types identify a push by its index in this slice, counted from 0.
    let pushes: ArraySlice<ClaimedDelivery>
    /// The time on the wall clock at which the pushes were handed to the APNs client.
    let began: Timestamp
    /// The time on the monotonic clock at which the pushes were handed to the APNs client.
    let uptime: Duration

    init(_ pushes: ArraySlice<ClaimedDelivery>, began: Timestamp, uptime: Duration) {
        (self.pushes, self.began, self.uptime) = (pushes, began, uptime)
    }

    /// The app that all the pushes belong to; `nil` if there are no pushes.
    var app: AppID? { pushes.first?.app }
}

/// A sender's report to the store on the outcome of one push that the sender has leased.
package struct SentPush: Sendable {
    let handOver: HandOver
    package let outcome: SendOutcome
    /// The time at which the outcome became known.
    let at: Timestamp
    /// A random number in `0..<1`, for the wait before a retry; 0 for an accepted push.
    let jitter: Double
    private let index: Int

    /// Makes the report on one push that was handed to the APNs client.
    ///
    /// - Parameters:
    ///   - handOver: the group of pushes that were handed over together.
    ///   - place: the push's index in the group, counted from 0.
    ///   - outcome: the outcome.
    ///   - at: the time at which the outcome became known.
    ///   - jitter: a random number, needed only if APNs has not accepted the push. The default is 0.
    init(_ handOver: HandOver, place: Int, _ outcome: SendOutcome, at: Timestamp, jitter: Double = 0) {
        (self.handOver, self.outcome, self.at, self.jitter) = (handOver, outcome, at, jitter)
        index = handOver.pushes.startIndex + place
    }
}

extension SentPush {
    /// A copy of this report in which ``SendOutcome/withheld(_:)`` replaces APNs' rejection of the device's token.
    ///
    /// With this outcome, the service does not give the token up.
    var withheld: SentPush {
        SentPush(
            handOver, place: index - handOver.pushes.startIndex, .withheld(rejection?.reason ?? ""), at: at,
            jitter: jitter)
    }
}

/// The properties of the push whose outcome a ``SentPush`` reports.
///
/// Each property reads a single field in place, because a copy of the ``ClaimedDelivery`` would retain a dozen
/// references.
extension SentPush {
    /// The number of the delivery in the store.
    ///
    /// A positive number is a row of the table `deliveries`. A negative number encodes a ``ChunkPlace``: a ``RangeChunk``, which
    /// keeps the deliveries to many devices, and one device in it.
    var number: Int64 { handOver.pushes[index].number }
    var purpose: PushPurpose { handOver.pushes[index].purpose }
    /// The exclusive right under which the sender has sent the push.
    ///
    /// With it, the store recognises an outcome that comes too late: after another sender has leased the push.
    var lease: Lease { handOver.pushes[index].lease }
    var lane: DeliveryLane { handOver.pushes[index].lane }
    var app: AppID { handOver.pushes[index].app }
    /// The device token to which the push was sent.
    var token: DeviceToken { handOver.pushes[index].token }
    /// The installation id of the device.
    ///
    /// If the delivery is stored in the bits of a ``RangeChunk``, ``number`` identifies a position in the chunk. Another device
    /// may have that position by now; the id tells the two devices apart.
    var device: String { handOver.pushes[index].device }
    /// The revision of the message that the push carried.
    ///
    /// If the store has a newer revision by now, that revision stays queued.
    var revision: Int { handOver.pushes[index].revision }
    var attempt: Int { handOver.pushes[index].attempt }
    /// The message's id; `nil` for a push about no message or about several messages.
    var message: MessageID? { handOver.pushes[index].message?.id }
    /// The Live Activity; `nil` for any other push.
    var activity: ClaimedActivity? { handOver.pushes[index].activity }
    /// The widgets or the control; `nil` for any other push.
    var widget: ClaimedWidget? { handOver.pushes[index].widget }
    /// The ids of the messages that the push has asked the device to remove.
    var removals: [MessageID] { handOver.pushes[index].removals.map(\.message) }
    /// The time from which the push could be sent, if this is the first try to show a message; otherwise `nil`.
    var since: Timestamp? { handOver.pushes[index].since }
    /// The effect that the push has on the badge if APNs accepts it.
    var badge: ClaimedDelivery.BadgeEffect { handOver.pushes[index].badgeEffect }
    /// The push's `apns-id`.
    private var apnsID: UUID { handOver.pushes[index].apnsID }
    /// The id by which Apple's Push Notifications Console finds the push, cut to 64 characters; `nil` outside the sandbox.
    private var uniqueID: String? {
        guard case .accepted(_, let uniqueID) = outcome else { return nil }
        return uniqueID.map { String($0.prefix(64)) }
    }
    /// The time at which the push was handed to APNs; `nil` if it was not handed over.
    var handed: Timestamp? { outcome.hasLeft ? handOver.began : nil }
}

extension SentPush {
    /// Returns whether the push was sent to this token in this environment, so that APNs' answer concerns the token.
    func wasSent(to token: DeviceToken?, in environment: APNsEnvironment) -> Bool {
        self.token == token && app.environment == environment
    }

    /// Returns whether APNs' acceptance of the push confirms a token: the push was sent to it, and was handed over after the
    /// token's last registration.
    func confirms(_ token: DeviceToken?, in environment: APNsEnvironment, registered: Timestamp) -> Bool {
        guard let handed, outcome.isAccepted else { return false }
        return wasSent(to: token, in: environment) && registered <= handed
    }

    /// The reason and the HTTP status with which APNs rejected the push; `nil` if APNs did not reject it.
    var rejection: (reason: String, status: Int)? {
        guard case .rejected(let rejection) = outcome else { return nil }
        return (rejection.reason.rawValue, rejection.status)
    }

    /// Returns the timeline's entries about this push: one says that it was handed to APNs, and one tells the result.
    ///
    /// An entry is left out if the push was not handed over, or if there is no result to tell.
    ///
    /// - Parameters:
    ///   - verdict: the decision about the push.
    ///   - rules: the limits of attempts.
    /// - Returns: up to two entries.
    func notes(_ verdict: SendVerdict, _ rules: SendingRules) -> [DeliveryNote] {
        var note = DeliveryNote(.sent, at: handed ?? at, purpose: purpose, revision: revision)
        note.attempt = attempt
        note.apnsID = apnsID.lowercased
        var notes = handed == nil ? [] : [note]
        note.at = at
        switch verdict {
        case .accepted:
            note.event = .accepted
            note.detail = uniqueID.map { "apns-unique-id \($0)" }
        case .giveUp, .retireToken, .quarantineToken: note.event = .rejected
        case .stopApp, .retry(mayHaveArrived: false):
            guard case .rejected = outcome else { return notes }
            note.event = .rejected
            note.detail = "will be tried again"
        case .putBack: return notes
        case .retry(mayHaveArrived: true):
            note.event = .unanswered
            note.detail =
                attempt < rules.unansweredAttempts
                ? "will be tried again" : "given up, so that it cannot alert again"
        case .cancel(let why):
            note.event = .cancelled
            note.detail = why
        }
        note.reason = rejection?.reason
        note.status = rejection?.status
        notes.append(note)
        return notes
    }
}

/// Two ``SentPush`` values are equal if their pushes, outcomes and times are equal.
extension SentPush: Hashable {
    package static func == (left: SentPush, right: SentPush) -> Bool {
        left.number == right.number && left.purpose == right.purpose && left.lease == right.lease
            && left.revision == right.revision && left.attempt == right.attempt && left.device == right.device
            && left.outcome == right.outcome && left.handed == right.handed && left.at == right.at
            && left.jitter == right.jitter
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(outcome)
    }
}
