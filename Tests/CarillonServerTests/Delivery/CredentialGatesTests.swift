import CarillonCore
import Testing

@testable import CarillonServer

@Suite("An app whose credential is refused")
struct CredentialGatesTests {
    @Test("a closed gate raises one alarm, is probed, and opens when a probe passes")
    func gates() {
        let app = AppID(topic: topic, environment: .production)
        var gates = CredentialGates(probeInterval: .seconds(300))
        let first = gates.refused(app, reason: "InvalidProviderToken", at: noon)
        let second = gates.refused(app, reason: "InvalidProviderToken", at: noon)
        #expect(first?.reason == "InvalidProviderToken")
        #expect(second == nil)
        #expect(gates.closed == [app])
        #expect(gates.appToProbe(at: noon + .seconds(299)) == nil)
        #expect(gates.appToProbe(at: noon + .seconds(300)) == app)
        let wasClosed = gates.passed(app)
        #expect(wasClosed)
        #expect(gates.closed.isEmpty)
        #expect(gates.alarms.isEmpty)
    }
}
