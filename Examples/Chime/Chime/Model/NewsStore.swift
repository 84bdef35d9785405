import CarillonApp

/// The news, newest first: from this launch, and from the inbox.
@MainActor
public final class NewsStore {
    /// The most news items; beyond it the oldest is dropped.
    public static let countLimit = 100

    /// The news, newest first, at most ``countLimit``.
    public private(set) var items: [NewsItem] = []
    var onChange: (() -> Void)?

    init() {}

    /// Adds news, or replaces the news with its id.
    func add(_ item: NewsItem) {
        items.removeAll { $0.id == item.id }
        items.insert(item, at: 0)
        if items.count > Self.countLimit { items.removeLast() }
        onChange?()
    }

    /// Merges a changed inbox: its messages come first, in its order; pushes that are not in it stay.
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
