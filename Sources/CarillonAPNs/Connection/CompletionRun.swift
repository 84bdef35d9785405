/// A collector of outcomes, which passes them to the callers of their requests.
///
/// Consecutive outcomes of one batch or list are passed in one call.
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

    /// Passes on the outcomes added since the last call.
    mutating func end() {
        feed?.completed(deliveries)
        list?.completed(outcomes)
        self = CompletionRun()
    }
}
