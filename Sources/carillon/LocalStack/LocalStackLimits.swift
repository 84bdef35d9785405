/// The limits and times of `carillon up`.
enum LocalStackLimits {
    /// Pages that may be open at once.
    static let pages = 32
    /// Events that may wait for one page before its stream is closed.
    static let eventsPerPage = 2000
}
