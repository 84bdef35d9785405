import CarillonCore
import Foundation

/// Claims webhooks for a sender, each with the events of its next request.
///
/// The events are read on a snapshot. The transaction that writes only compares what the reading relied on.
struct ClaimingWebhooks: SessionPart {
    /// The next step of a webhook that is due.
    struct Candidate: Sendable {
        enum Step: Sendable {
            case request([FeedEvent], WebhookFlight)
            /// None of the events up to here is for the webhook.
            case pass(FeedPosition)
            /// The events before this position are not kept any more.
            case skip(FeedPosition)
        }

        let standing: WebhookStanding
        let step: Step
    }

    /// A sender's question for webhooks that are due.
    struct Question: Sendable {
        let sender: SenderNumber
        /// The numbers of the webhooks whose requests the sender is making.
        let busy: [Int64]
        /// The greatest numbers of webhooks whose last attempt has succeeded, and of those whose last has failed.
        let limits: (healthy: Int, failing: Int)
    }

    let session: StoreSession
    private let webhooks: WebhooksTable
    private let feeds: FeedTable

    init(_ session: StoreSession) {
        self.session = session
        webhooks = WebhooksTable(session)
        feeds = FeedTable(session)
    }

    /// Returns the next steps of webhooks that have something to send now, of those first that wait longest.
    func candidates(_ question: Question) throws -> (found: [Candidate], isMore: Bool) {
        var (found, isMore): ([Candidate], Bool) = ([], false)
        for (isFailing, limit) in [(false, question.limits.healthy), (true, question.limits.failing)] where limit > 0 {
            let due = try webhooks.due(question, failing: isFailing, limit: limit)
            found += try due.map(candidate)
            isMore = isMore || due.count == limit
        }
        return (found, isMore)
    }

    private func candidate(_ standing: WebhookStanding, first: Int64) throws -> Candidate {
        guard standing.position.number >= first else {
            return Candidate(standing: standing, step: .skip(FeedPosition(number: first)))
        }
        var selection = standing.flight?.selection ?? standing.selection
        selection.webhook = standing.id
        let page = try feeds.page(
            of: standing.app, after: standing.position, upTo: standing.flight?.end, selection,
            limit: WebhookPace.eventsPerRequest)
        guard !page.events.isEmpty else {
            return Candidate(standing: standing, step: .pass(max(page.next, standing.flight?.end ?? page.next)))
        }
        let flight = standing.flight ?? WebhookFlight(upTo: page.next, selection)
        return Candidate(standing: standing, step: .request(page.events, flight))
    }

    /// Takes the steps of those webhooks that have not changed since they were read.
    ///
    /// - Returns: the requests to make, and whether a further claim may find more.
    /// - Throws: ``SenderEnded`` if another sender has taken over this sender's leases, and the errors of the database.
    func claim(_ candidates: [Candidate], for sender: SenderNumber) throws -> WebhookClaim {
        try SendersTable(session).requireLive(sender)
        var claim = WebhookClaim()
        for candidate in candidates {
            let standing = candidate.standing
            guard try webhooks.standing(standing.number, freeFor: sender) == standing else { continue }
            switch candidate.step {
            case .request(let events, let flight):
                try webhooks.lease(standing.number, to: sender, flight)
                let lease = Lease(sender: sender, epoch: standing.epoch + 1)
                claim.requests.append(
                    ClaimedWebhook(standing: standing, lease: lease, events: events, flight: flight))
            case .pass(let position):
                try webhooks.pass(standing.number, to: position)
                claim.isMore = true
            case .skip(let position):
                try webhooks.skip(standing.number, to: position)
                claim.isMore = true
            }
        }
        return claim
    }
}
