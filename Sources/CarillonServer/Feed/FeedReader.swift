import CarillonCore

/// The state of a reader who takes events from the rows of a feed, one row after the other, until its page is full.
struct FeedReader {
    /// An event that a row tells.
    struct Entry: Sendable, Hashable {
        let type: FeedEventType
        let user: User?
        let facts: String
    }

    /// A user as a row names him.
    enum User: Sendable, Hashable {
        case named(String)
        /// By a number (``FeedUsersTable``).
        case numbered(Int64)
    }

    /// The number of rows to ask for first.
    static let rowsAtFirst = 32

    /// The events taken so far, and the position at which the next page begins.
    var page: FeedPage
    /// The numbers of the users whom the page's events name by numbers, by the events' indices.
    private(set) var users: [Int: Int64] = [:]
    private let end: FeedPosition?
    private let limit: Int
    private var rows = 0

    /// - Parameters:
    ///   - start: the position at which the page begins.
    ///   - end: the position at which the page ends at the latest; `nil` for none.
    ///   - limit: the greatest number of events.
    init(start: FeedPosition, end: FeedPosition?, limit: Int) {
        (page, self.end, self.limit) = (FeedPage(next: start), end, limit)
    }

    var isFull: Bool { page.events.count >= limit }

    /// The number of rows that probably have the events that the page has room for, and one more.
    var rowsToAsk: Int {
        let perRow = max(1, page.events.count / max(1, rows))
        return max(Self.rowsAtFirst, (limit - page.events.count) / perRow + 1)
    }

    /// Takes the events of the next row, up to the end of the page.
    ///
    /// - Parameters:
    ///   - number: the row's number.
    ///   - entries: the row's events; `nil` for each that the reader does not want.
    /// - Returns: whether the reader has come to the row's end.
    mutating func take(from number: Int64, _ entries: [Entry?]) -> Bool {
        rows += 1
        var place = page.next.number == number ? page.next.place : 0
        let isLast = end?.number == number
        let last = isLast ? min(entries.count, end?.place ?? 0) : entries.count
        while place < last {
            if let entry = entries[place] {
                guard !isFull else { break }
                add(entry, FeedPosition(number: number, place: place + 1))
            }
            place += 1
        }
        let isWhole = place >= entries.count
        page.next = isWhole && !isLast ? FeedPosition(number: number + 1) : FeedPosition(number: number, place: place)
        if !isWhole { page.isLast = false }
        return isWhole
    }

    private mutating func add(_ entry: Entry, _ position: FeedPosition) {
        var event = FeedEvent(id: position.description, type: entry.type, user: nil, facts: entry.facts)
        switch entry.user {
        case .named(let user): event.user = user
        case .numbered(let number): users[page.events.count] = number
        case nil: break
        }
        page.events.append(event)
    }
}
