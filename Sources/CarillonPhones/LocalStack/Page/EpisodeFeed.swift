import CarillonCore
import Chime
import Foundation
import Synchronization

/// The podcast feed that Chime on the phones loads.
///
/// A file keeps the feed between two starts of `carillon up`.
final class EpisodeFeed: Sendable {
    /// The feed in Chime's own format.
    struct List: Codable, Sendable {
        /// The episodes, oldest first.
        var episodes: [Podcast]
    }

    /// The answer to a request that adds an episode.
    struct Added: Encodable, Sendable {
        var title: String
        var count: Int
    }

    private let file: URL
    private let episodes: Mutex<[Podcast]>

    /// Loads the feed.
    ///
    /// - Parameter file: the file with the feed. A file that cannot be decoded counts as missing.
    init(file: URL) {
        self.file = file
        let kept = (try? Data(contentsOf: file)).flatMap { try? CarillonJSON.decode(List.self, from: $0) }
        episodes = Mutex(kept?.episodes ?? Podcast.archive)
    }

    var list: List { List(episodes: episodes.withLock { $0 }) }

    /// Adds an episode.
    ///
    /// - Parameter json: a JSON object with the optional members `title` and `host`.
    /// - Returns: the title of the episode, and the number of episodes in the feed.
    /// - Throws: ``PageProblem`` if a member is not a text or is too long, or if the title exists already.
    func add(_ json: JSONValue) throws -> Added {
        guard case .object = json else {
            throw PageProblem(
                422, "A value cannot be accepted",
                "the body is an object, such as {\"title\": \"Forty-seven bells\"} or {}")
        }
        let host = try Self.text(json, "host") ?? "Ada"
        let wanted = try Self.text(json, "title")
        let added = try episodes.withLock { episodes in
            let title = wanted ?? Self.freshTitle(after: episodes)
            guard !episodes.contains(where: { $0.title == title }) else {
                throw PageProblem(409, "Already there", "The feed has an episode “\(title)”.")
            }
            episodes.append(Podcast(title: title, host: host))
            if episodes.count > PhonesLimits.feedEpisodes { episodes.removeFirst() }
            return Added(title: title, count: episodes.count)
        }
        // If the write fails, the next start begins with an older feed.
        try? CarillonJSON.encode(list).write(to: file, options: .atomic)
        return added
    }

    /// Replaces all episodes with the ones that a new feed has.
    func reset() {
        episodes.withLock { $0 = Podcast.archive }
        try? CarillonJSON.encode(list).write(to: file, options: .atomic)
    }

    private static func text(_ json: JSONValue, _ name: String) throws -> String? {
        guard let value = json[name] else { return nil }
        guard let text = value.stringValue, (1...PhonesLimits.episodeTitleBytes).contains(text.utf8.count) else {
            throw PageProblem(
                422, "A value cannot be accepted",
                "\(name) is a text of 1 to \(PhonesLimits.episodeTitleBytes) bytes")
        }
        return text
    }

    private static func freshTitle(after episodes: [Podcast]) -> String {
        let titles = Set(episodes.map(\.title))
        let fresh = ["Ringing at night", "A tower in the fog", "The bell that cracked", "Forty-seven bells"]
        return fresh.first { !titles.contains($0) }
            ?? (1...).lazy.map { "Episode \(episodes.count + $0)" }.first { !titles.contains($0) } ?? "Episode"
    }
}
