import CarillonApp

/// The news, newest first: what came in this launch, and what the inbox has kept.
@MainActor
public final class NewsStore {
    /// Beyond this many the oldest goes.
    public static let countLimit = 100

    /// The news, newest first, at most ``countLimit``.
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

    /// The inbox has changed: what it lists comes first, in its order; a push that is in no inbox stays.
    func merge(_ inbox: [Carillon.InboxItem]) {
        let listed = inbox.compactMap(NewsItem.init)
        let known = Set(listed.map(\.id))
        items = Array((listed + items.filter { !known.contains($0.id) }).prefix(Self.countLimit))
        onChange?()
    }

    func remove(ids: Set<String>) {
        items.removeAll { ids.contains($0.id) }
        onChange?()
    }

    func item(id: String) -> NewsItem? { items.first { $0.id == id } }
}
