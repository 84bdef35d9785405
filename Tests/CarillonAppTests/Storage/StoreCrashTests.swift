import CarillonCore
import Foundation
import Testing

@testable import CarillonApp
@testable import CarillonExtension
@testable import CarillonMessaging

@MainActor @Suite("An app that ends while it writes") struct StoreCrashTests {
    private let store = StoreFixture()

    @Test("reads what it had, wherever the line was torn, and goes on")
    func tornLine() throws {
        let app = store.launch()
        app.update { $0.bury("a") }
        app.save()
        let before = store.files[\.contents]
        app.update { $0.bury("b") }
        app.save()
        let length = try #require(store.files[\.appends].last)
        for byteCount in 0..<length {
            let files = TestFiles(before)
            let fixture = StoreFixture(files)
            let ending = fixture.launch()
            files[\.bytesBeforeCrash] = byteCount
            ending.update { $0.bury("b") }
            ending.save()
            files[\.bytesBeforeCrash] = nil
            let next = fixture.launch()
            #expect(next.contents.buried == 1, "torn after \(byteCount) bytes")
            next.update { $0.bury("c") }
            next.save()
            #expect(fixture.relaunched.buried == 2, "torn after \(byteCount) bytes")
        }
    }

    @Test("a disk that was full for a moment loses nothing of what is in memory")
    func fullDisk() throws {
        let app = store.launch()
        store.files[\.bytesBeforeCrash] = 5
        for name in ["a", "b"] {
            app.update { $0.bury(name) }
            try app.updateInbox { try $0.read(MessageID(name), revision: 1, isReported: false) }
            app.save()
        }
        #expect(store.log.all.count == 2)
        store.files[\.bytesBeforeCrash] = nil
        app.save()
        #expect(store.relaunched.buried == 2 && store.launch().inbox.pendingReads.count == 2)
    }

    @Test("what random changes have led to is what is read again, also between any two of them")
    func randomChanges() throws {
        for seed in 0..<20 as Range<UInt64> {
            let fixture = StoreFixture()
            var random = SeededGenerator(seed: seed)
            var app = fixture.launch()
            for _ in 0..<60 {
                Self.change(app, &random)
                app.save()
                let relaunched = fixture.launch()
                #expect(relaunched.contents == app.contents, "seed \(seed)")
                if Int.random(in: 0..<8, using: &random) == 0 { app = relaunched }
            }
            #expect(fixture.log.all.isEmpty)
        }
    }

    private static func change(_ app: CarillonStore, _ random: inout SeededGenerator) {
        let name = "m\(Int.random(in: 0..<12, using: &random))"
        let now = StoreFixture.start + .seconds(Int64.random(in: 0..<100_000, using: &random))
        let kind = Int.random(in: 0..<9, using: &random)
        app.update { contents in
            switch kind {
            case 0, 1: contents.receive(name, revision: kind + 1)
            case 2: contents.bury(name)
            case 3: contents.policy.markShown(name, attempt: 2, delivered: now, at: now)
            case 4: contents.policy.receipts.settled(contents.policy.receipts.batch(at: now))
            case 5: contents.policy.receipts.backoff.failed(at: now)
            case 6: contents.policy.signOut(at: now)
            case 7: _ = contents.policy.markReachedApp(nil, payload: ["k": .string(name)])
            default:
                contents.policy.time.heard(now, askedAt: now, at: now)
                contents.policy.writesReceipts.toggle()
                contents.registration.signedIn()
            }
        }
    }
}
