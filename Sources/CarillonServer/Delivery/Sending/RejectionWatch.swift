import CarillonCore

/// Protects an app's device tokens from being retired if APNs rejects most of them, because then the app's configuration is at
/// fault.
///
/// The watch computes the share of rejections among an app's latest answers. It holds rejections back until there are enough
/// answers, or no more will come. Pushes that only check new tokens and pushes of Live Activities do not count, because anybody may
/// invent their tokens.
struct RejectionWatch: Sendable {
    private struct Share {
        var answers = 0
        var rejected = 0
        /// The rejections that the watch holds back until it has seen more answers.
        var held: [SentPush] = []
        var heldSince = Duration.zero

        var isKnown: Bool { answers >= DeliveryLimits.answersThatTell }
        var isMost: Bool { isKnown && rejected * 2 >= answers }

        mutating func count(_ answers: Int, rejected: Int) {
            self.answers += answers
            self.rejected += rejected
            guard self.answers > DeliveryLimits.countedAnswers else { return }
            (self.answers, self.rejected) = (self.answers / 2, self.rejected / 2)
        }
    }

    private var shares: [AppID: Share] = [:]

    /// Takes new outcomes of one app's pushes, and returns the outcomes to store now.
    ///
    /// While APNs has given too few answers, the watch holds the rejections of tokens back. A later call of this function or of
    /// ``released(at:)`` returns them.
    ///
    /// - Parameters:
    ///   - pushes: the pushes with their outcomes.
    ///   - hasMore: whether more answers to the app's pushes will come.
    ///   - uptime: the present time on the monotonic clock.
    /// - Returns: the outcomes to store. If APNs rejects most of the app's tokens, each rejection becomes
    ///   ``SendOutcome/withheld(_:)``.
    mutating func decided(_ pushes: [SentPush], hasMore: Bool, at uptime: Duration) -> [SentPush] {
        guard let app = pushes.first?.app else { return pushes }
        var share = shares[app] ?? Share()
        defer { shares[app] = share }
        var (counted, rejected, accepted) = (0, 0, 0)
        for index in pushes.indices where pushes[index].outcome.isAnswer {
            if pushes[index].outcome.isAccepted { accepted += 1 }
            if pushes[index].isAnswerForKnownToken { counted += 1 }
            if pushes[index].rejectsKnownToken { rejected += 1 }
        }
        // One accepted push shows that the fault is repaired, so the count starts again.
        if share.isMost, accepted > 0 {
            (share.answers, share.rejected) = (0, 0)
        }
        share.count(counted, rejected: rejected)
        guard rejected > 0 || !share.held.isEmpty else { return pushes }
        if share.isMost || share.isKnown || !hasMore {
            let all = share.held + pushes
            share.held = []
            return share.isMost ? all.map { $0.rejectsKnownToken ? $0.withheld : $0 } : all
        }
        if share.held.isEmpty { share.heldSince = uptime }
        share.held += pushes.filter(\.rejectsKnownToken)
        return pushes.filter { !$0.rejectsKnownToken }
    }

    /// Removes and returns the rejections that were held back for the longest allowed time
    /// (``DeliveryLimits/rejectionPatience``).
    mutating func released(at uptime: Duration) -> [SentPush] {
        var released: [SentPush] = []
        for (app, share) in shares where !share.held.isEmpty && Self.end(of: share) <= uptime {
            released += share.held
            shares[app]?.held = []
        }
        return released
    }

    /// The earliest time, on the monotonic clock, at which the watch must release a rejection; `nil` if it holds none back.
    var nextRelease: Duration? { shares.values.filter { !$0.held.isEmpty }.map(Self.end).min() }

    private static func end(of share: Share) -> Duration { share.heldSince + DeliveryLimits.rejectionPatience }
}

extension SentPush {
    fileprivate var isAnswerForKnownToken: Bool {
        outcome.isAnswer && ![.tokenCheck, .tokenClaim, .liveActivity, .widgets].contains(purpose)
    }

    fileprivate var rejectsKnownToken: Bool {
        isAnswerForKnownToken && outcome.rejectsToken
    }
}
