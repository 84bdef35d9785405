import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where the list of episodes comes from.
nonisolated public struct PodcastFeed: Sendable {
    /// The feed does not say what a feed says.
    public struct Unreadable: Error {
        /// Makes the error, for who loads a feed in another way.
        public init() {}
    }

    private struct List: Decodable {
        var episodes: [Podcast]
    }

    /// Asks for the list.
    let fetch: @Sendable () async throws -> [Podcast]

    /// Always the same episodes.
    public static let archive = list { Podcast.archive }

    /// A list of the app's own, or a test's.
    ///
    /// - Parameter episodes: called at each refresh, on any thread.
    /// - Returns: the feed.
    public static func list(_ episodes: @escaping @Sendable () async throws -> [Podcast]) -> PodcastFeed {
        PodcastFeed { try await episodes() }
    }

    /// A list on the web: `{"episodes": [{"title": "…", "host": "…"}]}`, the oldest first.
    ///
    /// - Parameters:
    ///   - url: asked with GET.
    ///   - load: returns what stands there; the default asks with `URLSession.shared`.
    /// - Returns: the feed.
    public static func at(_ url: URL, load: @escaping @Sendable (URL) async throws -> Data = load) -> PodcastFeed {
        PodcastFeed { try JSONDecoder().decode(List.self, from: try await load(url)).episodes }
    }

    /// Loads a page with `URLSession.shared`.
    ///
    /// - Parameter url: asked with GET.
    /// - Returns: the page.
    /// - Throws: ``Unreadable`` unless the answer is 200, and what `URLSession` throws.
    @Sendable public static func load(_ url: URL) async throws -> Data {
        let (data, response) = try await URLSession.shared.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Unreadable() }
        return data
    }
}
