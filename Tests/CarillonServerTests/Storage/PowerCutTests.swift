import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("What was acknowledged survives a power cut")
struct PowerCutTests {
    /// The acknowledged calls and the contents of the disk when the power was cut.
    private struct Cut {
        var acknowledged: [MessageID]
        var image: SyncedFiles.Image
    }

    @Test("every message is on the disk when its call returns: of each file only what was synced is left")
    func acknowledged() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let files = SyncedFiles(in: folder.url)
        let store = Store(try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path))
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        for user in 0..<8 { try await store.enrol(device("phone\(user)", user: "u\(user)"), at: noon) }
        let before = files.syncs(of: "carillon.sqlite")
        let acknowledged = SharedValue<[MessageID]>([])
        let cuts = SharedValue<[Cut]>([])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for lane in 0..<16 {
                tasks.addTask {
                    for index in 0..<40 {
                        let message = try message("m\(lane).\(index)", to: .users(["u\(lane % 8)"]))
                        _ = try await store.accept(message, at: noon)
                        let all = acknowledged.withLock { all in
                            all.append(message.id)
                            return all
                        }
                        guard all.count % 31 == 0 else { continue }
                        let cut = Cut(acknowledged: all, image: files.image)
                        cuts.withLock { $0.append(cut) }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        // Then all of it is in the database, and the log is empty; earlier checkpoints may have copied a part or all of it.
        try await store.sqlite.checkpoints.empty()
        #expect(files.syncs(of: "carillon.sqlite") > before)
        cuts.withLock { $0.append(Cut(acknowledged: acknowledged.withLock { $0 }, image: files.image)) }
        for cut in cuts.withLock({ $0 }) { try await Self.check(cut) }
    }

    private static func check(_ cut: Cut) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try cut.image.write(to: folder.url)
        let store = Store(try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path))
        for id in cut.acknowledged where try await store.report(id, at: noon) == nil {
            Issue.record("\(id) was acknowledged, as one of \(cut.acknowledged.count), and is lost")
        }
        try store.close()
    }

    @Test("a commit whose sync fails may have happened: nobody is told that nothing was changed")
    func failedSync() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let files = SyncedFiles(in: folder.url)
        let store = Store(try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path))
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        files.refusesSyncs = true
        let error = await #expect(throws: ServiceError.self) {
            _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        }
        #expect(error?.code == .unknownOutcome)
        files.refusesSyncs = false
        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: noon)
        #expect(try await store.report(MessageID(test: "m2"), at: noon) != nil)
    }

    @Test("each call alone has a sync of its own, and calls at the same time share them")
    func syncs() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let files = SyncedFiles(in: folder.url)
        let store = Store(try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path))
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        for index in 0..<5 {
            let before = files.syncs(of: "-wal")
            _ = try await store.accept(try message("alone\(index)", to: .users(["u1"])), at: noon)
            #expect(files.syncs(of: "-wal") > before)
        }
        let before = files.syncs(of: "-wal")
        await withTaskGroup(of: Void.self) { tasks in
            for index in 0..<256 {
                tasks.addTask {
                    do {
                        _ = try await store.accept(try message("m\(index)", to: .users(["u1"])), at: noon)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        #expect((1...128).contains(files.syncs(of: "-wal") - before))
    }
}
