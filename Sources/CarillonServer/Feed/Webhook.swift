import CarillonCore
import Foundation

/// An address to which the service posts the events of an app's feed, as the store keeps it.
package struct Webhook: Sendable, Hashable {
    /// The id: 16 hexadecimal digits.
    package var id: String
    package var app: AppNumber
    package var url: String
    package var selection: FeedSelection
    package var created: Timestamp
    /// The number of failed attempts at the present request.
    package var failures = 0
    /// The earliest time of the next attempt.
    package var due: Timestamp
    /// The time at which the service stopped trying; `nil` while it tries.
    package var setAside: Timestamp?
    /// The last failure in words, as far as it fits (``WebhookPace/answerBytes``); `nil` if the last attempt has succeeded.
    package var answer: String?
    /// The time of the last failure.
    package var answered: Timestamp?
    /// The time at which the endpoint last confirmed a request.
    package var delivered: Timestamp?
    /// The time at which events were left out, because they were not kept any more.
    package var missed: Timestamp?
    /// The position up to which the endpoint has confirmed the events.
    package var position = FeedPosition(number: 0)
    /// The position after the newest event of the app's feed.
    package var newest = FeedPosition(number: 0)

    package init(
        id: String, app: AppNumber, url: String, selection: FeedSelection, created: Timestamp, due: Timestamp
    ) {
        (self.id, self.app, self.url, self.selection) = (id, app, url, selection)
        (self.created, self.due) = (created, due)
    }
}

extension Webhook {
    /// The entity tag of the settings that a backend can change.
    var tag: String {
        let types = selection.types.map { $0.map(\.rawValue).sorted().joined(separator: ",") } ?? "*"
        return EntityTag.of([url, types, "\(selection.hasTexts)"])
    }
}

/// The outcome of adding a webhook.
package enum WebhookAddition: Sendable, Hashable {
    /// The webhook is there, and signs with this secret.
    case added(secret: Data)
    /// Another webhook was added with the same idempotency key.
    case isAnother
    /// The app has ``StoreLimits/webhooksPerApp`` webhooks already.
    case areTooMany
}

/// A change of a webhook; a member that is `nil` changes nothing.
package struct WebhookChange: Sendable, Hashable {
    package var url: String?
    package var types: Set<FeedEventType>?
    package var hasTexts: Bool?
    /// Whether the service tries again at once, also if it had set the webhook aside.
    package var resumes = false

    package init() {}
}

/// The events of a request that is under way, or is tried again: its end, and the selection with which it was begun.
///
/// Both stay until the endpoint has confirmed the request, so that a repetition has an equal body.
struct WebhookFlight: Sendable, Hashable, Codable {
    var number: Int64
    var place: Int
    var types: Set<FeedEventType>?
    var hasTexts: Bool

    init(upTo end: FeedPosition, _ selection: FeedSelection) {
        (number, place, types, hasTexts) = (end.number, end.place, selection.types, selection.hasTexts)
    }

    var end: FeedPosition { FeedPosition(number: number, place: place) }
    var selection: FeedSelection { FeedSelection(types: types, hasTexts: hasTexts) }
}

/// All facts of a webhook on which its next request depends.
struct WebhookStanding: Sendable, Hashable {
    /// The number of the webhook's row.
    let number: Int64
    let id: String
    let app: AppNumber
    let url: String
    let selection: FeedSelection
    let position: FeedPosition
    let flight: WebhookFlight?
    /// The number of replays so far.
    let round: Int
    let failures: Int
    let epoch: Int
    /// The secrets that sign a request now, the present one first.
    let secrets: [Data]
}

/// A request that a sender has claimed and may make now.
package struct ClaimedWebhook: Sendable {
    let standing: WebhookStanding
    let lease: Lease
    let events: [FeedEvent]
    let flight: WebhookFlight

    /// The `webhook-id`, which all attempts at this request have, and no request of another replay.
    ///
    /// It has no full stop, because full stops separate the parts of the signed text.
    var messageID: String {
        "msg_\(standing.id)_\(standing.round)_\(events.first?.id ?? "")_\(events.last?.id ?? "")"
    }
}

/// The requests that a sender may make now.
package struct WebhookClaim: Sendable {
    package var requests: [ClaimedWebhook] = []
    /// Whether a further claim may find more.
    package var isMore = false
    /// The earliest time at which a request that has failed is due again; `nil` for none.
    package var nextDue: Timestamp?
}
