import CarillonCore
import Foundation
import Testing

@testable import CarillonApp
@testable import CarillonExtension
@testable import CarillonMessaging

@MainActor @Suite("Files that cannot be read yet") struct ClosedStoreTests {
    private let store = StoreFixture()

    @Test("are not taken for damage and not written over; there is no identity, and what happens meanwhile is joined")
    func closed() throws {
        let before = store.launch()
        before.update { $0.bury("m") }
        before.save()
        let files = store.files[\.contents]
        store.files[\.isClosed] = true
        let during = store.launch()
        #expect(during.identity == nil && during.contents.buried == 0)
        during.update { $0.bury("n") }
        during.update { $0.receive("r") }
        during.save()
        during.takeOverFromExtension()
        #expect(store.files[\.contents] == files)
        #expect(store.log.all.allSatisfy { if case .storeIsUnavailable = $0 { true } else { false } })
        #expect(!store.log.all.isEmpty)
        store.files[\.isClosed] = false
        #expect(during.open())
        #expect(during.identity == before.identity && during.contents.buried == 2)
        #expect(during.contents.policy.known["r"] != nil && during.contents.policy.receipts.pending.count == 1)
        #expect(store.relaunched == during.contents)
    }

    @Test("a sign-out that came meanwhile is owed to the service")
    func signedOut() throws {
        let before = store.launch()
        let facts = RegistrationFacts(
            token: try #require(DeviceToken(Data([1, 2, 3, 4]))), topic: "t", environment: .sandbox,
            device: DeviceFacts(permission: .authorized))
        before.update { contents in
            contents.registration.registered(facts, user: nil, at: StoreFixture.start)
            contents.receive("m")
        }
        before.save()
        store.files[\.isClosed] = true
        let during = store.launch()
        during.update { contents in
            contents.registration.signedOut()
            contents.policy.signOut(at: StoreFixture.start)
        }
        store.files[\.isClosed] = false
        #expect(during.open())
        #expect(during.contents.registration.isSignOutPending && during.contents.policy.known["m"] == nil)
    }

    @Test("an installation whose identity cannot be written has none, so that it does not get another at each launch")
    func unwritable() throws {
        store.files[\.isClosed] = true
        store.files[\.contents][.app] = [:]
        let app = store.launch()
        #expect(app.identity == nil)
        store.files[\.isClosed] = false
        #expect(app.open() && app.identity != nil && store.launch().identity == app.identity)
    }

    @Test("the extension knows nothing then, speaks for nobody, and says why")
    func extensionToo() throws {
        let app = store.launch()
        app.update { $0.bury("m") }
        app.save()
        store.files[\.isClosed] = true
        let during = store.notified()
        #expect(during.identity == nil && during.contents.buried == 0 && !store.log.all.isEmpty)
        store.files[\.isClosed] = false
        #expect(store.notified().contents.buried == 1)
    }
}
