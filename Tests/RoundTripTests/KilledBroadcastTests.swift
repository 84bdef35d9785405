import Testing

/// The large one is in `make simulate`.
@Suite("A broadcast whose senders are killed", .serialized)
struct KilledBroadcastTests {
    @Test(
        "reaches each device, and what may have come twice is what the report says: in the first window, in a later one, and near its end",
        .timeLimit(.minutes(5)))
    func killed() async throws {
        try await KilledBroadcast(devices: 900, kills: [1, 320, 640, 890]).play()
    }
}
