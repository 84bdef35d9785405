/// Decides when a checkpoint copies SQLite's write-ahead log into the database.
///
/// Commits can continue during a checkpoint. If a checkpoint copies the whole log, SQLite starts the log again from the
/// beginning. Under steady load, new commits always leave an uncopied part. So when the log is long, a second checkpoint copies
/// this part between two commits.
struct CheckpointSchedule: Sendable {
    enum Step: Sendable, Equatable {
        /// A checkpoint copies the log while commits continue.
        case alongside
        /// A checkpoint copies the log while commits continue, and a second one copies the rest of the log between two commits.
        case alongsideThenBetween
        /// A checkpoint copies the whole log and truncates its file, which delays commits for a moment.
        case emptying
    }

    private var pages = 0
    private var nextAt = StoreLimits.logPagesBeforeCheckpoint
    private var isUnderWay = false
    private var owesEmptying = false

    /// Decides the next step from the length of the log after a commit.
    ///
    /// - Parameter pages: the length of the log, in pages.
    /// - Returns: the step to take now; `nil` for none. The step counts as in progress until ``ended()`` is called.
    mutating func committed(pages: Int) -> Step? {
        let hasBegunAnew = pages < self.pages
        self.pages = pages
        if hasBegunAnew { nextAt = StoreLimits.logPagesBeforeCheckpoint }
        guard !isUnderWay, pages >= nextAt else { return nil }
        isUnderWay = true
        if owesEmptying { return .emptying }
        return pages >= StoreLimits.logPagesBeforeBetween ? .alongsideThenBetween : .alongside
    }

    /// Records that the step in progress has ended.
    ///
    /// While a reader holds an old snapshot, a checkpoint cannot copy newer pages. So the next step begins only after the log has
    /// grown by a further ``StoreLimits/logPagesBeforeCheckpoint``.
    mutating func ended() {
        isUnderWay = false
        nextAt = pages + StoreLimits.logPagesBeforeCheckpoint
    }

    /// Records whether the log's file was truncated.
    ///
    /// - Parameter isEmpty: whether the file was truncated. If not, a later checkpoint tries again.
    mutating func emptied(_ isEmpty: Bool) { owesEmptying = !isEmpty }
}
