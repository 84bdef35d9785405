import CarillonCore
import Foundation
import Testing

@testable import CarillonApp
@testable import CarillonExtension
@testable import CarillonMessaging

@MainActor @Suite("What the SDK remembers") struct StoreTests {
    private let store = StoreFixture()

    @Test("id, secret and messages survive a relaunch, on the disk too")
    func survives() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("carillon-store-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func launch() -> CarillonStore {
            CarillonStore(
                files: DiskFiles(root: folder), randomness: SystemRandomNumberGenerator(),
                report: { [log = store.log] in log.add($0) })
        }
        let first = launch()
        for number in 0..<3 {
            first.update { $0.bury("m\(number)") }
            try first.updateInbox { try $0.read(MessageID("m\(number)"), revision: 1, isReported: false) }
            first.save()
        }
        let second = launch()
        #expect(second.identity == first.identity && second.identity?.secret.utf8.count == 64)
        #expect(second.contents == first.contents && second.contents.buried == 3)
        #expect(second.inbox.pendingReads.count == 3 && store.log.all.isEmpty)
    }

    @Test("what is not changed is not written, and each change is one line")
    func oneLine() throws {
        let app = store.launch()
        store.files.forgetCounts()
        app.save()
        app.update { $0.bury("a") }
        app.update { $0.receive("m") }
        app.update {
            _ = $0.policy.verdict(
                on: PushMessage(identifier: "m", presentation: .bySystem), MessageMoment(now: StoreFixture.start))
        }
        app.save()
        app.save()
        #expect(store.files[\.appends].count == 1 && store.files[\.writes].isEmpty && store.files[\.reads].isEmpty)
    }

    @Test("each kept value has one name, in snapshots and in changes; a change names only what has changed")
    func parts() throws {
        var random = SystemRandomNumberGenerator()
        var contents = StoreContents(using: &random)
        func names(_ change: StoreChange?) throws -> [String] {
            guard let change else { return [] }
            let json = try JSONValue(parsing: CarillonJSON.encode(change))
            return json.objectValue.map { $0.keys.sorted() } ?? []
        }
        let all = [
            "activityReports", "badge", "droppedReceipts", "handOvers", "known", "liveActivities", "receiptBackoff",
            "receiptPrefix", "receipts", "registration", "signedOutAt", "sync", "tags", "time", "tombstones", "unnamed",
            "widgets", "writesReceipts",
        ]
        #expect(try names(contents.everything) == all && names(contents.takeChange()) == [])
        contents.tags = ["blue"]
        contents.bury("m")
        #expect(contents.mustBeSaved)
        #expect(try names(contents.takeChange()) == ["tags", "tombstones"])
        contents.sync.ask()
        #expect(!contents.mustBeSaved, "it may be lost")
        let change = contents.takeChange()
        #expect(try names(change) == ["sync"])
        var copy = StoreContents(using: &random)
        copy.apply(try CarillonJSON.decode(StoreChange.self, from: CarillonJSON.encode(contents.everything)))
        #expect(copy == contents && !copy.mustBeSaved)
    }

    @Test("a journal that has grown is replaced by a snapshot, and only the generation before is kept")
    func generations() throws {
        let app = store.launch()
        for number in 0..<2000 {
            app.update { $0.receive("m\(number)") }
            app.save()
        }
        let snapshots = store.files.names(ending: ".json").filter { $0.hasPrefix("state") }
        #expect(snapshots.count == 2 && store.files.names(ending: ".journal").count == 2)
        #expect(store.files[\.writes].count < 20, "a snapshot is seldom")
        #expect(app.contents.policy.known.count == AppLimits.knownMessages)
        #expect(Self.isSame(store.relaunched, app.contents))
    }

    @Test(
        "a damaged file starts fresh, says so, and leaves the other file alone",
        arguments: ["state", "installation.json", "inbox.json"])
    func damaged(name: String) throws {
        let before = store.launch()
        before.update { $0.bury("m") }
        try before.updateInbox { try $0.read(MessageID("m"), revision: 1, isReported: false) }
        before.save()
        let isState = name == "state"
        let file = try #require(store.files.names(ending: ".json").first { $0.hasPrefix(name) })
        store.files[\.contents][.app]?[file] = Data("{\"half".utf8)
        if isState {
            store.files[\.contents][.app]?[try #require(store.files.names(ending: ".journal").first)] = Data()
        }
        let after = store.launch()
        #expect((after.identity == before.identity) == (name != "installation.json"))
        #expect(after.contents.buried == (isState ? 0 : 1))
        #expect(after.inbox.pendingReads.count == (name == "inbox.json" ? 0 : 1))
        #expect(store.log.all == [.storeWasDamaged(file: file)])
        #expect(store.files.names(ending: ".corrupt") == [file + ".corrupt"])
        #expect(store.relaunched == after.contents, "it is mended")
        #expect(store.log.all.count == 1)
    }

    @Test("where the newest snapshot is damaged, the one before and both journals say the same")
    func damagedSnapshot() throws {
        let app = store.launch()
        var generations = 0
        for number in 0..<3000 {
            app.update { $0.receive("m\(number)") }
            app.save()
            generations = store.files[\.writes].filter { $0.hasPrefix("state") && $0.hasSuffix(".json") }.count
            if generations == 3 { break }
        }
        #expect(generations == 3)
        app.update { $0.bury("last") }
        app.save()
        let newest = try #require(
            store.files.names(ending: ".json").compactMap(StoreGeneration.init(file:)).max()?.snapshot)
        store.files[\.contents][.app]?[newest] = Data()
        let relaunched = store.relaunched
        #expect(Self.isSame(relaunched, app.contents))
        #expect(store.log.all == [.storeWasDamaged(file: newest)])
    }

    /// Without printing hundreds of messages where it is not.
    private static func isSame(_ one: StoreContents, _ other: StoreContents) -> Bool { one == other }
}
