import CarillonCore
import Foundation
import TestSupport
import Testing

/// The benchmark as a program. How fast a debug build is says nothing, so its figures are not judged here.
@Suite("carillon bench phone", .serialized)
struct PhoneBenchTests {
    @Test("prints a figure for each thing that has a limit, writes the same as JSON, and its exit status judges them")
    func figures() async throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "carillon-bench-\(ProcessInfo.processInfo.processIdentifier).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let run = try await CarillonProgram.run(
            "bench", "phone", "--phones", "20", "--pushes", "50", "--json", file.path)
        let json = try JSONValue(parsing: try Data(contentsOf: file))
        #expect(json["phones"] == 20 && json["pushes"] == 50)
        let limits: [String: JSONValue] = [
            "phone_kib": 2048, "boot_ms": 5, "visible_push_us": 20, "silent_push_us": 20, "play_us": 1000,
        ]
        for (key, limit) in limits {
            #expect(json["limits"]?[key] == limit, "\(key)")
            // A figure of 0 would mean that nothing was measured; but 20 phones may fit into memory that is there already.
            let value = json["figures"]?[key]
            #expect(value != nil && (value != 0 || key == "phone_kib"), "\(key): \(run.transcript)")
        }
        #expect(run.lines.filter { $0.hasPrefix("✔") || $0.hasPrefix("✘") }.count == 5, "\(run.transcript)")
        #expect(run.status == (run.output.contains("✘") ? 1 : 0))
    }

    @Test("says what is wrong with a number it cannot use")
    func badNumber() async throws {
        let run = try await CarillonProgram.run("bench", "phone", "--phones", "0")
        #expect(run.status != 0 && run.errors.contains("--phones must be between 1 and 10000"))
    }
}
