/// The stretches of neighbouring pushes that belong to one app in one environment.
///
/// Pushes that are claimed or answered together are nearly always of one app. So a caller that counts by stretches looks up the
/// app once for many pushes.
struct AppRuns: Sequence, IteratorProtocol {
    /// One stretch: its app, and the indices of its pushes.
    struct Run {
        let app: AppID
        let indices: Range<Int>
    }

    private let count: Int
    private let app: (Int) -> AppID
    private var position = 0

    init(of deliveries: [ClaimedDelivery]) { self.init(count: deliveries.count) { deliveries[$0].app } }

    init(of pushes: [SentPush]) { self.init(count: pushes.count) { pushes[$0].app } }

    private init(count: Int, app: @escaping (Int) -> AppID) { (self.count, self.app) = (count, app) }

    mutating func next() -> Run? {
        guard position < count else { return nil }
        let (first, app) = (position, app(position))
        repeat { position += 1 } while position < count && self.app(position) == app
        return Run(app: app, indices: first..<position)
    }
}
