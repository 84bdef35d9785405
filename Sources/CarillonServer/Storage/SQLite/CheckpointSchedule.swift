/// The schedule by which the write-ahead log is copied into the database.
///
/// Copying beside the commits suffices while there are pauses: once all of the log is copied, SQLite begins it anew by itself.
/// Under steady load a part is always uncopied, so a long log is finished in the writer's turn, when little is left to copy.
struct CheckpointSchedule: Sendable {
    enum Step: Sendable, Equatable {
        /// Copy beside the commits, which go on.
        case alongside
        /// Copy beside the commits, then copy the rest between two commits.
        case alongsideThenBetween
        /// Copy all of the log and empty its file, which delays commits for a moment.
        case emptying
    }

    private var pages = 0
    private var nextAt = StoreLimits.logPagesBeforeCheckpoint
    private var isUnderWay = false
    private var owesEmptying = false

    /// Takes the length of the log after a commit.
    ///
    /// - Parameter pages: the length of the log.
    /// - Returns: the step to take now, which is under way until ``ended()``; `nil` for none.
    mutating func committed(pages: Int) -> Step? {
        let hasBegunAnew = pages < self.pages
        self.pages = pages
        if hasBegunAnew { nextAt = StoreLimits.logPagesBeforeCheckpoint }
        guard !isUnderWay, pages >= nextAt else { return nil }
        isUnderWay = true
        if owesEmptying { return .emptying }
        return pages >= StoreLimits.logPagesBeforeBetween ? .alongsideThenBetween : .alongside
    }

    /// Ends the step under way.
    ///
    /// While a reader holds an old snapshot nothing can be copied, so the next step comes only when the log has grown by
    /// another interval.
    mutating func ended() {
        isUnderWay = false
        nextAt = pages + StoreLimits.logPagesBeforeCheckpoint
    }

    /// Notes whether the log's file was emptied.
    ///
    /// - Parameter isEmpty: false if it was not, so that it is tried again later.
    mutating func emptied(_ isEmpty: Bool) { owesEmptying = !isEmpty }
}
