import CarillonCore
import Foundation
import Testing

@testable import CarillonApp
@testable import CarillonExtension
@testable import CarillonMessaging

@MainActor @Suite("What app and service extension know of one another") struct ExtensionStoreTests {
    private let store = StoreFixture()

    @Test("each sees the other's changes, and the files of the extension go when the app has saved them")
    func bothWays() throws {
        let app = store.launch()
        app.update { $0.bury("a") }
        app.save()
        let first = store.notified()
        #expect(first.contents.buried == 1 && first.identity == app.identity)
        first.update { $0.receive("m") }
        #expect(store.notified().contents.policy.known["m"] != nil, "the next notification of this process")
        #expect(StoreFixture(store.files).notified().contents.policy.known["m"] != nil, "and of another")
        app.takeOverFromExtension()
        #expect(app.contents.policy.receipts.pending.map(\.event) == [.received])
        #expect(store.files.names(in: .serviceExtension).count == 1, "nothing is removed that is only in memory")
        app.save()
        #expect(store.files.names(in: .serviceExtension).isEmpty)
        #expect(store.relaunched == app.contents)
        #expect(store.notified().contents.policy.known["m"] != nil)
    }

    @Test("an app that ends before it has removed a file joins it again, which changes nothing")
    func twice() throws {
        let app = store.launch()
        store.notified().update { $0.receive("m") }
        let file = store.files[\.contents][.serviceExtension]
        app.takeOverFromExtension()
        app.save()
        let contents = app.contents
        store.files[\.contents][.serviceExtension] = file
        let next = store.launch()
        next.takeOverFromExtension()
        next.save()
        #expect(next.contents == contents && store.files.names(in: .serviceExtension).isEmpty)
    }

    @Test("the order in which changes are joined does not matter")
    func order() throws {
        let changes = ["m", "n", "m"].enumerated().map { index, name in
            let fixture = StoreFixture()
            fixture.notified().update { contents in
                contents.receive(name, revision: index == 2 ? 2 : 1)
                if index == 1 { contents.bury("m") }
                contents.policy.markShown(name, attempt: index + 1, at: StoreFixture.start)
            }
            return fixture.files[\.contents][.serviceExtension]?.values.first ?? Data()
        }
        let results = [[0, 1, 2], [2, 1, 0], [1, 0, 2, 0]].map { order in
            let fixture = StoreFixture()
            let app = fixture.launch()
            for index in order {
                fixture.files[\.contents][.serviceExtension] = ["\(index).change": changes[index]]
                app.takeOverFromExtension()
                app.save()
            }
            return app.contents.policy
        }
        for policy in results {
            #expect(policy.known["m"] == results[0].known["m"] && policy.known["n"] == results[0].known["n"])
            #expect(policy.known["m"]?.revision == 2 && policy.tombstones == results[0].tombstones)
            let said = Set(policy.receipts.pending.map(\.id).map { $0.split(separator: "-").last })
            #expect(said.count == 5 || said.count == 6)
        }
    }

    @Test("a second notification of one process reads only what is new, and nothing when there is nothing new")
    func readsOnce() throws {
        let app = store.launch()
        for number in 0..<300 { app.update { $0.receive("m\(number)") } }
        app.save()
        store.notified().update { $0.receive("n") }
        store.files.forgetCounts()
        _ = store.notified()
        #expect(store.files[\.reads].isEmpty)
        app.update { $0.bury("x") }
        app.save()
        #expect(store.notified().contents.buried == 1)
        #expect(store.files[\.reads].count == 1 && store.files[\.reads].allSatisfy { $0.hasSuffix(".journal") })
    }

    @Test("many writers at once lose nothing")
    func concurrent() async {
        let app = store.launch()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                var process = store
                if number % 2 == 0 { process.process = ExtensionProcess() }
                group.addTask { [process] in process.notified().update { $0.bury("m\(number)") } }
            }
        }
        app.takeOverFromExtension()
        app.save()
        #expect(store.relaunched.buried == 40)
    }

    @Test("for an app that does not run the number of files is bounded, and nothing that counts is lost")
    func bounded() throws {
        _ = store.launch()
        for number in 0..<1200 {
            let now = StoreFixture.start + .milliseconds(Int64(number))
            store.notified(at: now).update { $0.receive("m\(number)", at: now) }
            #expect(store.files.names(in: .serviceExtension).count <= AppLimits.extensionFiles + 1)
        }
        let app = store.launch()
        app.takeOverFromExtension()
        #expect(app.contents.policy.known.count == AppLimits.knownMessages)
        #expect(app.contents.policy.receipts.pending.count == AppLimits.pendingReceipts)
        #expect(app.contents.policy.known["m1199"] != nil)
    }

    @Test("a file that cannot be decoded is said and put aside, and the others count")
    func damaged() throws {
        let app = store.launch()
        store.notified().update { $0.bury("m") }
        store.files[\.contents][.serviceExtension]?["0.change"] = Data("{".utf8)
        app.takeOverFromExtension()
        app.save()
        #expect(app.contents.buried == 1 && store.log.all == [.storeWasDamaged(file: "0.change")])
        #expect(store.files.names(in: .serviceExtension).isEmpty)
    }

    @Test("a change whose file could not be written counts for the next notification, and is written with its change")
    func unwritten() throws {
        let app = store.launch()
        app.update { $0.bury("a") }
        app.save()
        store.files[\.bytesBeforeCrash] = 0
        store.notified().update { $0.receive("m") }
        store.notified().update { $0.bury("b") }
        store.files[\.bytesBeforeCrash] = nil
        #expect(store.files.names(in: .serviceExtension).isEmpty)
        app.update { $0.bury("c") }
        app.save()
        #expect(store.notified().contents.policy.known["m"] != nil && store.notified().contents.buried == 3)
        store.notified().update { $0.bury("d") }
        app.takeOverFromExtension()
        #expect(app.contents.policy.known["m"] != nil && app.contents.buried == 4)
        #expect(app.contents.policy.receipts.pending.map(\.event) == [.received])
    }

    @Test("what the store reports comes when its lock is free, so that the app's code may ask it")
    func reportsOutside() throws {
        let app = store.launch()
        app.update { $0.bury("m") }
        app.save()
        store.files[\.contents][.serviceExtension] = ["1-broken.change": Data("{\"half".utf8)]
        let asked = Guarded<[Int]>([])
        let box = Guarded<ExtensionStore?>(nil)
        let service = ExtensionStore(
            files: store.files, process: store.process, now: StoreFixture.start,
            randomness: SystemRandomNumberGenerator(),
            report: { _ in
                guard let store = box.withLock(\.self) else { return }
                asked.withLock { $0.append(store.contents.buried) }
            })
        box.withLock { $0 = service }
        #expect(service.contents.buried == 1)
        #expect(asked.withLock(\.self) == [1])
    }
}
