import CarillonCore
import Foundation
import Testing

@testable import CarillonSimulator

@Suite("The store of channels")
struct ChannelStoreTests {
    @Test("Channels: an app has 10,000 and no more, whatever another app has")
    func limit() throws {
        var store = ChannelStore(enabledTopics: ["app", "other"])
        var generator = SeededGenerator(seed: 1)
        let configuration = Data(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        var ids: Set<String> = []
        for _ in 0..<10_000 { ids.insert(try store.create(in: "app", configuration: configuration, using: &generator)) }
        #expect(ids.count == 10_000)
        let rejection = #expect(throws: Rejection.self) {
            try store.create(in: "app", configuration: configuration, using: &generator)
        }
        #expect(rejection?.reason == .cannotCreateChannelConfig)
        _ = try store.create(in: "other", configuration: configuration, using: &generator)
        try store.delete(ids.first, in: "app")
        _ = try store.create(in: "app", configuration: configuration, using: &generator)
    }
}
