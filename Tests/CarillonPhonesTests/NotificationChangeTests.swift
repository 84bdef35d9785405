import CarillonCore
import TestSupport
import Testing

@testable import CarillonPhones

@Suite("How a page is told of a phone's notifications")
struct NotificationChangeTests {
    typealias Notification = PhoneState.Notification

    @Test("a page that knows nothing is told everything, the oldest piece first", arguments: [0, 1, 64, 65, 512])
    func everything(count: Int) {
        let list = Self.list(count)
        let changes = NotificationChange.changes(on: "p", from: nil, to: list)
        #expect(changes.first?.isReset == true && changes.dropFirst().allSatisfy { !$0.isReset })
        #expect(Self.page([Self.note("old", at: 0)], after: changes) == list)
    }

    @Test("one more is told alone, however many there are")
    func oneMore() {
        let list = Self.list(512)
        let changes = NotificationChange.changes(on: "p", from: list, to: [Self.note("new", at: 999)] + list)
        #expect(changes == [NotificationChange(phone: "p", put: [Self.note("new", at: 999)])])
    }

    @Test("no event has more than its number of notifications")
    func bounded() {
        let changes = NotificationChange.changes(on: "p", from: [], to: Self.list(512))
        #expect(changes.allSatisfy { $0.put.count <= PhonesLimits.notificationsPerEvent })
    }

    @Test("the same list is no change")
    func same() {
        #expect(NotificationChange.changes(on: "p", from: Self.list(3), to: Self.list(3)) == [])
    }

    private static let seeds = Seeds(fixed: 0..<50, drawn: 150, filter: "NotificationChangeTests")

    @Test("whatever a phone does with its list, the page has the same list afterwards", arguments: seeds.all)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list: [Notification] = []
        var page: [Notification] = []
        for moment in 1...60 {
            let before = list
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.change(&list, at: moment, &random) }
            page = Self.page(page, after: NotificationChange.changes(on: "p", from: before, to: list))
            #expect(page == list, "moment \(moment); \(Self.seeds.again(seed))")
        }
    }

    // MARK: -

    /// Applies the events as `note-changes.js` does.
    private static func page(_ list: [Notification], after changes: [NotificationChange]) -> [Notification] {
        changes.reduce(list) { list, change in
            let kept = change.isReset ? [] : list.filter { !change.gone.contains($0.id) }
            let known = Set(kept.map(\.id))
            let put = Dictionary(uniqueKeysWithValues: change.put.map { ($0.id, $0) })
            return change.put.filter { !known.contains($0.id) } + kept.map { put[$0.id] ?? $0 }
        }
    }

    private static func change(_ list: inout [Notification], at moment: Int, _ random: inout SeededGenerator) {
        let id = "n-\(Int.random(in: 0..<20, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0: list = []
        case 1...3: list.removeAll { $0.id == id }
        case 4: for index in list.indices { list[index].title += "!" }
        case 5: list.shuffle(using: &random)
        default:
            list.removeAll { $0.id == id }
            list.insert(note(id, at: moment), at: 0)
        }
    }

    private static func list(_ count: Int) -> [Notification] {
        (0..<count).map { note("n-\($0)", at: count - $0) }
    }

    private static func note(_ id: String, at seconds: Int) -> Notification {
        Notification(
            id: id, title: "Title", subtitle: "", body: "", at: Timestamp(millisecondsSince1970: Int64(seconds) * 1000),
            thread: "", level: "active", actions: [])
    }
}
