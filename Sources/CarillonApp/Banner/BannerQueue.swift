/// The banners that wait: the most urgent first, and among equals the one that came first.
public struct BannerQueue: Sendable, Hashable {
    /// Beyond this many the least urgent, newest one is given up.
    public static let countLimit = 20

    private var waiting: [BannerContent] = []

    public init() {}

    public var isEmpty: Bool { waiting.isEmpty }
    public var count: Int { waiting.count }

    /// A banner with the id of a waiting one takes its place, and moves only if it is more or less urgent.
    public mutating func add(_ content: BannerContent) {
        if let index = waiting.firstIndex(where: { $0.id == content.id }) {
            if waiting[index].priority == content.priority {
                waiting[index] = content
                return
            }
            waiting.remove(at: index)
        }
        let index = waiting.firstIndex { $0.priority < content.priority } ?? waiting.endIndex
        waiting.insert(content, at: index)
        if waiting.count > Self.countLimit { waiting.removeLast() }
    }

    public mutating func takeNext() -> BannerContent? { waiting.isEmpty ? nil : waiting.removeFirst() }

    public mutating func remove(_ ids: Set<String>) { waiting.removeAll { ids.contains($0.id) } }
}
