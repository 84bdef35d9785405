import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Removals that a sender has in flight from a chunk")
struct RemovalLeaseTests {
    private let sender = SenderNumber(rawValue: 7)

    @Test("end one by one, under the lease and no other")
    func end() {
        var lease = RemovalLease(chunk: 3, sender: sender, began: noon, places: DeviceSet([0, 5]))
        let others = [
            Lease(sender: SenderNumber(rawValue: 8), epoch: 1), Lease(sender: sender, epoch: 2),
        ]
        let ended = (others + [lease.lease, lease.lease]).map { lease.end(5, under: $0) }
        #expect(ended == [false, false, true, false])
        #expect(lease.places == DeviceSet([0]))
    }

    @Test("are first attempts, named for the chunk as no push is that is counted for its device")
    func push() {
        let pushes = [3, 4].map { RemovalLease(chunk: $0, sender: sender, began: noon).push }
        #expect(pushes.map(\.revision) == [-3, -4])
        #expect(pushes.allSatisfy { $0.attempt == 1 && $0.sender == sender && $0.due == noon })
    }
}
