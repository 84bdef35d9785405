/// A sequence that splits an array of pushes into runs: neighbouring pushes of one app in one environment.
///
/// Pushes that are leased or answered together nearly always belong to one app. So a caller that processes runs looks
/// up the app once for many pushes.
struct AppRuns: Sequence, IteratorProtocol {
    /// Neighbouring pushes of one app in an array of pushes: the app, and the indices of these pushes in the array.
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
