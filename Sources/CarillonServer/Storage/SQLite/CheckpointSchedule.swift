/// Decides when SQLite's write-ahead log is copied into the database.
///
/// Copying beside the commits suffices while there are pauses: when all of the log is copied, SQLite starts it again from the
/// beginning. Under steady load, some part is always uncopied. So a long log is copied to its end in the writer's turn, when
/// little is left.
struct CheckpointSchedule: Sendable {
    enum Step: Sendable, Equatable {
        /// Copy beside the commits, which continue.
        case alongside
        /// Copy beside the commits, then copy the rest between two commits.
        case alongsideThenBetween
        /// Copy all of the log and truncate its file, which delays commits for a moment.
        case emptying
    }

    private var pages = 0
    private var nextAt = StoreLimits.logPagesBeforeCheckpoint
    private var isUnderWay = false
    private var owesEmptying = false

    /// Decides the next step from the length of the log after a commit.
    ///
    /// - Parameter pages: the length of the log, in pages.
    /// - Returns: the step to take now; `nil` for none. It is in progress until ``ended()``.
    mutating func committed(pages: Int) -> Step? {
        let hasBegunAnew = pages < self.pages
        self.pages = pages
        if hasBegunAnew { nextAt = StoreLimits.logPagesBeforeCheckpoint }
        guard !isUnderWay, pages >= nextAt else { return nil }
        isUnderWay = true
        if owesEmptying { return .emptying }
        return pages >= StoreLimits.logPagesBeforeBetween ? .alongsideThenBetween : .alongside
    }

    /// Ends the step in progress.
    ///
    /// While a reader holds an old snapshot, nothing can be copied. So the next step waits until the log has grown by another
    /// interval.
    mutating func ended() {
        isUnderWay = false
        nextAt = pages + StoreLimits.logPagesBeforeCheckpoint
    }

    /// Records whether the log's file was truncated.
    ///
    /// - Parameter isEmpty: whether it was. If not, it is tried again later.
    mutating func emptied(_ isEmpty: Bool) { owesEmptying = !isEmpty }
}
