import Foundation

/// An episode of a podcast.
nonisolated public struct Podcast: Sendable, Hashable, Codable {
    /// The episode's title, from which the address of its page is derived.
    public var title: String
    /// The name of the speaker.
    public var host: String

    /// Makes an episode.
    ///
    /// - Parameters:
    ///   - title: also determines the address of its page.
    ///   - host: the name of the speaker.
    public init(title: String, host: String) {
        self.title = title
        self.host = host
    }

    /// The episode's page.
    public var link: URL? {
        URL(string: "https://chime.example.com/podcasts/" + title.lowercased().replacing(" ", with: "-"))
    }

    /// The episodes that are always available.
    public static let archive = [
        Podcast(title: "Bells of the old town", host: "Ada"),
        Podcast(title: "How a carillon is tuned", host: "Grace"),
        Podcast(title: "The last bell-founder", host: "Ada"),
    ]
}

/// The list of podcasts, refreshed silently after a push that announces new episodes.
@MainActor
public final class PodcastStore {
    /// The episodes that the feed listed last; empty before the first refresh.
    public private(set) var podcasts: [Podcast] = []
    /// The number of refreshes so far.
    public private(set) var refreshCount = 0
    var onChange: (() -> Void)?
    /// The result of the last refresh; `nil` before the first one.
    public private(set) var lastRefresh: Refresh?
    private let feed: @Sendable () async throws -> [Podcast]

    init(feed: @escaping @Sendable () async throws -> [Podcast]) { self.feed = feed }

    /// Fetches the feed.
    ///
    /// - Returns: whether the feed had new episodes.
    /// - Throws: the error of the feed.
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
    /// The result of a refresh.
    public enum Refresh: String, Sendable {
        case newEpisodes = "New episodes"
        case nothingNew = "Nothing new"
        case failed = "The feed did not answer"
    }
}
