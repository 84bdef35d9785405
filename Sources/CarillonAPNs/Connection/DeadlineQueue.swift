import CarillonCore
import DequeModule

/// The deadlines of requests, earliest first.
///
/// A request with the usual time limit is appended in constant time. A request that ends stays in the queue until its deadline,
/// or until ended requests are more than half of the queue.
struct DeadlineQueue: Sendable {
    private var entries: Deque<(deadline: Timestamp, request: RequestID)> = []

    var count: Int { entries.count }
    var earliest: Timestamp? { entries.first?.deadline }

    mutating func insert(_ request: RequestID, deadline: Timestamp) {
        var index = entries.endIndex
        if let last = entries.last, last.deadline > deadline {
            index = entries.partitioningIndex { $0.deadline > deadline }
        }
        entries.insert((deadline, request), at: index)
    }

    /// Removes and returns the earliest request whose deadline is `now` or earlier; returns `nil` if there is none.
    mutating func popDue(at now: Timestamp) -> RequestID? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        entries.removeFirst()
        return first.request
    }

    /// Removes the entries of ended requests if they are more than about half of the queue.
    mutating func compact(openRequests: Int, isOpen: (RequestID) -> Bool) {
        guard entries.count > 2 * openRequests + ClientLimits.endedEntriesKept else { return }
        entries.removeAll { !isOpen($0.request) }
    }
}

extension Deque {
    /// Finds the first element that satisfies `predicate`, by binary search.
    ///
    /// All elements after the first such element must satisfy `predicate` too.
    fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
