/// When the write-ahead log is copied into the database, and how.
///
/// Copying beside the commits is enough while there are pauses: with all of it copied, SQLite begins the log anew by
/// itself. Under steady load there is always something that is not copied yet, so a long log is finished in the writer's
/// turn, where only little is left to copy.
struct CheckpointSchedule: Sendable {
    enum Step: Sendable, Equatable {
        /// Copy beside the commits, which go on.
        case alongside
        /// The same, then the rest between two commits.
        case alongsideThenBetween
        /// Copy all of it and empty the file, which holds up commits for a moment.
        case emptying
    }

    private var pages = 0
    private var nextAt = ServiceLimits.logPagesBeforeCheckpoint
    private var isUnderWay = false
    private var owesEmptying = false

    /// - Parameter pages: how long the log is.
    /// - Returns: what must be done now; it is under way until ``ended()``.
    mutating func committed(pages: Int) -> Step? {
        let hasBegunAnew = pages < self.pages
        self.pages = pages
        if hasBegunAnew { nextAt = ServiceLimits.logPagesBeforeCheckpoint }
        guard !isUnderWay, pages >= nextAt else { return nil }
        isUnderWay = true
        if owesEmptying { return .emptying }
        return pages >= ServiceLimits.logPagesBeforeBetween ? .alongsideThenBetween : .alongside
    }

    /// While somebody reads an old state nothing can be copied: it is tried again when the log has grown as much again.
    mutating func ended() {
        isUnderWay = false
        nextAt = pages + ServiceLimits.logPagesBeforeCheckpoint
    }

    /// - Parameter isEmpty: whether the file was emptied; if not, it is tried again later.
    mutating func emptied(_ isEmpty: Bool) { owesEmptying = !isEmpty }
}
