import CarillonMessaging
import Foundation

/// Where the list of episodes comes from.
nonisolated public struct PodcastFeed: Sendable {
    /// The feed does not say what a feed says.
    public struct Unreadable: Error {}

    private struct List: Decodable {
        var episodes: [Podcast]
    }

    /// Asks for the list, over the way by which the app reaches its service.
    let fetch: @Sendable (any ServiceTransport) async throws -> [Podcast]

    /// Always the same episodes.
    public static let archive = list { Podcast.archive }

    /// A list of the app's own, or a test's.
    ///
    /// - Parameter episodes: called at each refresh, on any thread.
    /// - Returns: the feed.
    public static func list(_ episodes: @escaping @Sendable () async throws -> [Podcast]) -> PodcastFeed {
        PodcastFeed { _ in try await episodes() }
    }

    /// A list on the web: `{"episodes": [{"title": "…", "host": "…"}]}`, the oldest first.
    ///
    /// - Parameter url: asked with GET.
    /// - Returns: the feed.
    public static func at(_ url: URL) -> PodcastFeed {
        PodcastFeed { transport in
            let answer = try await transport.send(ServiceRequest(method: "GET", url: url))
            guard answer.status == 200 else { throw Unreadable() }
            return try JSONDecoder().decode(List.self, from: answer.body).episodes
        }
    }
}
