/// The waiting banners: the most urgent first, and among equals the oldest first.
struct BannerQueue: Sendable, Hashable {
    private var waiting: [BannerContent] = []

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// Adds a banner.
    ///
    /// Replaces a waiting banner with the same id, at the same position if the priority is equal. If more than
    /// ``BannerLimits/waiting`` banners wait, drops the newest of the least urgent banners.
    mutating func add(_ content: BannerContent) {
        if let index = waiting.firstIndex(where: { $0.id == content.id }) {
            if waiting[index].priority == content.priority {
                waiting[index] = content
                return
            }
            waiting.remove(at: index)
        }
        let index = waiting.firstIndex { $0.priority < content.priority } ?? waiting.endIndex
        waiting.insert(content, at: index)
        if waiting.count > BannerLimits.waiting { waiting.removeLast() }
    }

    mutating func takeNext() -> BannerContent? { waiting.isEmpty ? nil : waiting.removeFirst() }

    mutating func remove(_ ids: Set<String>) { waiting.removeAll { ids.contains($0.id) } }
}
