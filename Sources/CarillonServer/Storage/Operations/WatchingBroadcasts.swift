import CarillonCore

/// Finds broadcasts that have begun or ended, so that the service can write them to its log.
///
/// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
struct WatchingBroadcasts: SessionPart {
    let session: StoreSession

    init(_ session: StoreSession) { self.session = session }

    /// Returns the progress of three groups of broadcasts: new ones with greater message numbers than `message`, those whose
    /// recipients are still being determined, and those in `watched`.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    ///
    /// - Parameters:
    ///   - message: the greatest message number that the caller has seen; `nil` to leave out the new broadcasts.
    ///   - watched: the numbers of messages whose end the caller waits for.
    /// - Returns: the progress of these broadcasts.
    /// - Throws: the errors of the database.
    func news(after message: Int64?, _ watched: Set<Int64>) throws -> BroadcastNews {
        let newest = Int64(try integer("SELECT coalesce(max(message), 0) AS newest FROM ranges"))
        let found = try rows(
            """
            SELECT ranges.message, messages.id, apps.topic, ranges.began,
                (ranges.open = 1 OR EXISTS (SELECT 1 FROM chunks WHERE chunks.message = ranges.message
                    AND (chunks.open = 1 OR chunks.sender IS NOT NULL))) AS under_way
            FROM ranges JOIN messages ON messages.number = ranges.message JOIN apps ON apps.number = ranges.app
            WHERE ranges.message > ? OR ranges.open = 1 OR \(dialect.isAmongIntegers("ranges.message"))
            """, [message ?? newest, Self.integers(watched.sorted())])
        var news = BroadcastNews(newest: newest, broadcasts: [], waiting: [])
        for row in found {
            let number: Int64 = try row["message"]
            guard let began = row.timestamp("began") else {
                news.waiting.insert(number)
                continue
            }
            news.broadcasts.append(
                BroadcastNews.Broadcast(
                    number: number, id: try row.messageID("id"), topic: try row["topic"], began: began,
                    isUnderWay: try row["under_way"]))
        }
        return news
    }
}
