/// The phone's traces, bounded.
struct PhoneLog: Sendable {
    /// The newest entries, up to twice the limit, so that the oldest are removed seldom.
    private var kept: [PushTrace] = []
    private var lastNumber = 0

    /// The kept entries, oldest first.
    var entries: [PushTrace] { kept.suffix(PhoneLimits.traces) }

    /// - Parameter make: gets the new entry's number.
    /// - Returns: that number.
    mutating func begin(_ make: (Int) -> PushTrace) -> Int {
        lastNumber += 1
        kept.append(make(lastNumber))
        if kept.count >= 2 * PhoneLimits.traces { kept.removeFirst(kept.count - PhoneLimits.traces) }
        return lastNumber
    }

    mutating func update(_ number: Int, _ edit: (inout PushTrace) -> Void) {
        if let index = index(of: number) { edit(&kept[index]) }
    }

    func entry(_ number: Int) -> PushTrace? { index(of: number).map { kept[$0] } }

    /// Returns the newest entry that `matches`.
    func last(where matches: (PushTrace) -> Bool) -> PushTrace? {
        kept.suffix(PhoneLimits.traces).last(where: matches)
    }

    /// Returns the position of a number: the numbers have no gaps.
    private func index(of number: Int) -> Int? {
        let fromEnd = lastNumber - number
        return fromEnd >= 0 && fromEnd < min(kept.count, PhoneLimits.traces) ? kept.count - 1 - fromEnd : nil
    }
}
