import CarillonCore

/// How many pushes of an app go out in a second: the columns `bucket` and `bucket_at` of `apps`, for all senders together.
extension StoreTransaction {
    /// The buckets of the apps that have a limit, by the apps' numbers, as they are now.
    func buckets() throws -> [Int64: TokenBucket] {
        let rows = try rows(
            "SELECT number, sends_per_second, bucket, bucket_at FROM apps WHERE sends_per_second IS NOT NULL")
        return try rows.reduce(into: [:]) { buckets, row in
            var bucket = TokenBucket(
                perSecond: row["sends_per_second"], thousandths: row["bucket"],
                at: try row.requiredTimestamp("bucket_at"))
            bucket.refill(at: now)
            buckets[row["number"]] = bucket
        }
    }

    func write(_ buckets: [Int64: TokenBucket]) throws {
        for (app, bucket) in buckets {
            try execute(
                "UPDATE apps SET bucket = ?, bucket_at = ? WHERE number = ?",
                [bucket.thousandths, bucket.at.millisecondsSince1970, app])
        }
    }
}
