/// The phone's traces, bounded.
struct PhoneLog: Sendable {
    /// The oldest go.
    static let countLimit = 1000

    private(set) var entries: [PushTrace] = []
    private var lastNumber = 0

    /// - Parameter make: gets the new entry's number.
    mutating func begin(_ make: (Int) -> PushTrace) -> Int {
        lastNumber += 1
        entries.append(make(lastNumber))
        if entries.count > Self.countLimit { entries.removeFirst() }
        return lastNumber
    }

    mutating func update(_ number: Int, _ edit: (inout PushTrace) -> Void) {
        guard let index = entries.lastIndex(where: { $0.number == number }) else { return }
        edit(&entries[index])
    }

    func entry(_ number: Int) -> PushTrace? { entries.last { $0.number == number } }
}
