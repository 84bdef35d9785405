import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing

@MainActor
@Suite("Second alerts")
struct SecondAlertTests {
    @Test("of three messages on a locked phone none is said to have alerted twice when one is tapped", arguments: 1...6)
    func lockedPhone(seed: UInt64) async throws {
        try await AppFixture.run { fixture in
            var random = SeededGenerator(seed: seed)
            try await HostExtension.suspended(fixture, HostExtension.Plan(service: fixture.service))
            await fixture.phone.lock()
            for id in ["m1", "m2", "m3"] {
                fixture.clock.advance(by: .milliseconds(Int64.random(in: 1...5000, using: &random)))
                try await fixture.visible(id)
            }
            try await fixture.phone.tap("m3", in: AppFixture.bundleID)
            try await fixture.settle()
            let told = fixture.service.receipts.filter { $0.hasPrefix("shown") }
            #expect(Set(told) == ["shown m1", "shown m2", "shown m3"], "seed \(seed): \(told)")
        }
    }
}
