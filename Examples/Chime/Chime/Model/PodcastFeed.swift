import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A source of the list of episodes.
nonisolated public struct PodcastFeed: Sendable {
    /// An error: the feed's answer is not a feed.
    public struct Unreadable: Error {
        /// Makes the error, for another way of loading a feed.
        public init() {}
    }

    private struct List: Decodable {
        var episodes: [Podcast]
    }

    /// Fetches the list.
    let fetch: @Sendable () async throws -> [Podcast]

    /// A feed that always lists the same episodes.
    public static let archive = list { Podcast.archive }

    /// Makes a feed from a list of the app's own, or of a test.
    ///
    /// - Parameter episodes: called at each refresh, on any thread.
    /// - Returns: the feed.
    public static func list(_ episodes: @escaping @Sendable () async throws -> [Podcast]) -> PodcastFeed {
        PodcastFeed { try await episodes() }
    }

    /// Makes a feed from a list on the web: `{"episodes": [{"title": "…", "host": "…"}]}`, the oldest first.
    ///
    /// - Parameters:
    ///   - url: requested with GET.
    ///   - load: returns the contents of the URL; the default uses `URLSession.shared`.
    /// - Returns: the feed.
    public static func at(_ url: URL, load: @escaping @Sendable (URL) async throws -> Data = load) -> PodcastFeed {
        PodcastFeed { try JSONDecoder().decode(List.self, from: try await load(url)).episodes }
    }

    /// Loads a page with `URLSession.shared`.
    ///
    /// - Parameter url: requested with GET.
    /// - Returns: the page.
    /// - Throws: ``Unreadable`` if the status is not 200, and the errors of `URLSession`.
    @Sendable public static func load(_ url: URL) async throws -> Data {
        let (data, response) = try await URLSession.shared.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Unreadable() }
        return data
    }
}
