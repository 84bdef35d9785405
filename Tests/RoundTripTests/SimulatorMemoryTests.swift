import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("What an attached device costs the simulator", .serialized)
struct SimulatorMemoryTests {
    /// Resident, in bytes, once the simulator is ready.
    private func residentBytes(fleet: Int) async throws -> Int {
        let folder = try TemporaryFolder()
        let program = try RunningProgram([
            "apns-simulator", "--port", "0", "--directory", folder.url.path, "--topic", "com.example.chime",
            "--devices", "0", "--fleet", "\(fleet)", "--journal", "0",
        ])
        var bytes = 0
        for await line in program.lines where line.hasPrefix("APNs simulator is ready") {
            bytes = try program.residentBytes()
            break
        }
        #expect(await program.interrupt() == 0)
        return bytes
    }

    @Test("30,000 devices, each with a token and connected in process, take less than 400 bytes each")
    func fleet() async throws {
        let count = 30_000
        let (none, all) = (try await residentBytes(fleet: 0), try await residentBytes(fleet: count))
        #expect((all - none) / count < 400, "\((all - none) / count) bytes for a device")
    }
}
