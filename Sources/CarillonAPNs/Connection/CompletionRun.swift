/// A collector that passes many outcomes of requests to their batch (``BatchFeed``) or list (``SendList``) in one call.
///
/// One call has consecutive outcomes of one batch or list. The outcome of a request that belongs to neither goes to the waiting
/// caller at once.
struct CompletionRun {
    private var deliveries: [APNsDelivery] = []
    private var feed: BatchFeed?
    private var outcomes: [SendList.Outcome] = []
    private var list: SendList?

    mutating func add(_ request: PendingSend, _ result: Result<APNsOutcome, APNsError>) {
        switch request.caller {
        case .batch(let feed):
            if feed !== self.feed { end() }
            self.feed = feed
            deliveries.append(APNsDelivery(request, result))
        case .list(let list, let place):
            if list !== self.list { end() }
            self.list = list
            outcomes.append((place, result))
        default: request.caller?.complete(request, result)
        }
    }

    /// Passes the collected outcomes to their batch or list, and empties the collector.
    mutating func end() {
        feed?.completed(deliveries)
        list?.completed(outcomes)
        self = CompletionRun()
    }
}
