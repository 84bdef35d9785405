import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("carillon doctor", .timeLimit(.minutes(5))) struct DoctorTests {
    @Test("asks the service that runs at its port for its health, and finds the port free when the service has ended")
    func running() async throws {
        let folder = try TemporaryFolder()
        let options = [
            "--data", folder.url.appending(path: "data").path, "--topic", "com.example.chime", "--role", "api",
        ]
        let program = try RunningProgram(["serve", "--port", "0"] + options)
        let port = try #require(try await ServiceProgram.address(program).port)
        func doctor() async throws -> ProgramRun {
            try await CarillonProgram.run(["doctor", "--port", "\(port)"] + options)
        }
        let healthy = try await doctor()
        #expect(healthy.status == 0, "\(healthy.transcript)")
        #expect(healthy.output.contains("note    a service of Carillon runs already at port \(port)\n"))
        #expect(healthy.output.contains("ok      the running service says: ok\n"), "\(healthy.transcript)")
        #expect(await program.terminate() == 0)
        let free = try await doctor()
        #expect(free.output.contains("port \(port) on 127.0.0.1 is free"), "\(free.transcript)")
        #expect(free.output.contains("carillon.sqlite: 1 app: com.example.chime"), "\(free.transcript)")
    }

    @Test("takes a server that asks for a password as another program at its port, and does not wait for it")
    func challenged() async throws {
        let server = try WebServer(["/healthz": .challenge])
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = try await CarillonProgram.run([
            "doctor", "--data", folder.url.appending(path: "data").path, "--topic", "com.example.chime", "--role",
            "api", "--port", "\(server.port)",
        ])
        #expect(run.status == 1, "\(run.transcript)")
        #expect(run.output.contains("port \(server.port) on 127.0.0.1 is busy"), "\(run.transcript)")
    }

    @Test("tells a wrong option with its place, as serve does, and has a help of its own")
    func mistakes() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "c.yaml").path
        try "data: data\napns: production\nport: eighty\n".write(toFile: file, atomically: true, encoding: .utf8)
        let wrong = try await CarillonProgram.run(["doctor", "--config", file])
        #expect(wrong.status == 64, "\(wrong.transcript)")
        #expect(wrong.errors.contains("(--port is set by \(file):3)"), "\(wrong.transcript)")
        let help = try await CarillonProgram.run(["doctor", "--help"])
        #expect(help.status == 0 && help.output.contains("Finds what is usually wrong"), "\(help.transcript)")
    }
}
