/// The bounds and times of `carillon up`, in one place.
enum LocalStackLimits {
    /// Pages that may be open at once.
    static let pages = 32
    /// Events that may wait for one page before it is cut off.
    static let eventsPerPage = 2000
}
