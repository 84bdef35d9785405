import Foundation

/// An episode that can be listened to.
public struct Podcast: Sendable, Hashable {
    public var title: String
    public var host: String

    public init(title: String, host: String) {
        self.title = title
        self.host = host
    }

    /// Its page.
    public var link: URL? {
        URL(string: "https://chime.example.com/podcasts/" + title.lowercased().replacing(" ", with: "-"))
    }

    /// What everybody has from the start.
    public static let archive = [
        Podcast(title: "Bells of the old town", host: "Ada"),
        Podcast(title: "How a carillon is tuned", host: "Grace"),
        Podcast(title: "The last bell-founder", host: "Ada"),
    ]
}

/// The list of podcasts, refreshed silently when a push says that there is something new.
@MainActor
public final class PodcastStore {
    public private(set) var podcasts: [Podcast] = []
    /// How often the feed was asked.
    public private(set) var refreshCount = 0
    var onChange: (() -> Void)?
    private let feed: @Sendable () async throws -> [Podcast]

    init(feed: @escaping @Sendable () async throws -> [Podcast]) { self.feed = feed }

    /// - Returns: whether the feed had anything new.
    func refresh() async throws -> Bool {
        refreshCount += 1
        let fresh = try await feed()
        guard fresh != podcasts else { return false }
        podcasts = fresh
        onChange?()
        return true
    }
}
