import CarillonCore
import Foundation
import Testing

@testable import CarillonApp

@Suite("What the SDK remembers")
final class StoreTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("carillon-store-\(ProcessInfo.processInfo.globallyUniqueString)")
    private let log = EventLog()

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func open() -> CarillonStore {
        CarillonStore(directory: directory, randomness: SystemRandomNumberGenerator(), report: { [log] in log.add($0) })
    }

    private func file(_ name: String) -> URL { directory.appendingPathComponent("Carillon/\(name)") }

    @Test("id, secret and messages survive a relaunch")
    func survives() {
        let first = open()
        first.update { $0.policy.bury("m") }
        let second = open()
        #expect(second.identity == first.identity)
        #expect(second.contents.policy.tombstones.count == 1)
        #expect(first.identity.secret.utf8.count == 64)
    }

    @Test("the app and its extension see each other's changes")
    func shared() {
        let (app, neighbour) = (open(), open())
        app.update { $0.policy.bury("a") }
        neighbour.update { $0.policy.bury("b") }
        #expect(app.contents.policy.tombstones.count == 2)
    }

    @Test("writers on many threads lose nothing")
    func concurrent() async {
        let stores = [open(), open()]
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let store = stores[number % 2]
                group.addTask {
                    store.update { $0.policy.bury("m\(number)") }
                }
            }
        }
        #expect(open().contents.policy.tombstones.count == 40)
    }

    @Test(
        "a damaged file starts fresh, says so, and leaves the other file alone",
        arguments: ["state.json", "installation.json"])
    func damaged(name: String) throws {
        let before = open()
        let identity = before.identity
        before.update { $0.policy.bury("m") }
        try Data("{\"half".utf8).write(to: file(name))
        let after = open()
        #expect((after.identity == identity) == (name == "state.json"))
        #expect(after.contents.policy.tombstones.count == (name == "state.json" ? 0 : 1))
        #expect(log.all == [.storeWasDamaged(file: name)])
        #expect(FileManager.default.fileExists(atPath: file(name + ".corrupt").path))
    }

    @Test("a file that cannot be read now is not taken for damage, and is not written over")
    func unreadable() throws {
        let before = open()
        before.update { $0.policy.bury("m") }
        let aside = directory.appendingPathComponent("aside")
        try FileManager.default.moveItem(at: file("state.json"), to: aside)
        try FileManager.default.createDirectory(at: file("state.json"), withIntermediateDirectories: false)
        let during = open()
        during.update { $0.policy.bury("n") }
        #expect(during.contents.policy.tombstones.count == 1)
        try FileManager.default.removeItem(at: file("state.json"))
        try FileManager.default.moveItem(at: aside, to: file("state.json"))
        #expect(during.contents.policy.tombstones.count == 1)
        #expect(open().contents.policy.tombstones.contains("m", at: Timestamp(secondsSince1970: 1)))
        #expect(log.all.contains { if case .storeIsUnavailable = $0 { true } else { false } })
    }
}

extension MessagePolicy {
    /// A removal of a message that has not come.
    fileprivate mutating func bury(_ identifier: String) {
        _ = remove([PushRemoval(identifier: identifier)], at: Timestamp(secondsSince1970: 1))
    }
}
