import Foundation

/// An episode that can be listened to.
nonisolated public struct Podcast: Sendable, Hashable, Codable {
    /// The episode's title, which also makes the address of its page.
    public var title: String
    /// Who speaks in it.
    public var host: String

    /// Makes an episode.
    ///
    /// - Parameters:
    ///   - title: also makes the address of its page.
    ///   - host: who speaks in it.
    public init(title: String, host: String) {
        self.title = title
        self.host = host
    }

    /// The episode's page.
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
    /// The episodes, as the feed listed them last; empty before the first refresh.
    public private(set) var podcasts: [Podcast] = []
    /// How often the feed was asked.
    public private(set) var refreshCount = 0
    var onChange: (() -> Void)?
    /// What came of the last refresh; `nil` before the first.
    public private(set) var lastRefresh: Refresh?
    private let feed: @Sendable () async throws -> [Podcast]

    init(feed: @escaping @Sendable () async throws -> [Podcast]) { self.feed = feed }

    /// Asks the feed.
    ///
    /// - Returns: whether the feed had anything new.
    /// - Throws: what the feed throws.
    func refresh() async throws -> Bool {
        refreshCount += 1
        defer { onChange?() }
        do {
            let fresh = try await feed()
            lastRefresh = fresh == podcasts ? .nothingNew : .newEpisodes
            podcasts = fresh
        } catch {
            lastRefresh = .failed
            throw error
        }
        return lastRefresh == .newEpisodes
    }
}

extension PodcastStore {
    /// What came of asking the feed.
    public enum Refresh: String, Sendable {
        case newEpisodes = "New episodes"
        case nothingNew = "Nothing new"
        case failed = "The feed did not answer"
    }
}
