/// The news of this launch, newest first.
@MainActor
public final class NewsStore {
    /// Beyond this many the oldest goes.
    public static let countLimit = 100

    public private(set) var items: [NewsItem] = []
    var onChange: (() -> Void)?

    init() {}

    /// Adds news, or replaces what is known under the same id.
    func add(_ item: NewsItem) {
        items.removeAll { $0.id == item.id }
        items.insert(item, at: 0)
        if items.count > Self.countLimit { items.removeLast() }
        onChange?()
    }

    func remove(id: String) {
        items.removeAll { $0.id == id }
        onChange?()
    }

    func item(id: String) -> NewsItem? { items.first { $0.id == id } }
}
