import ArgumentParser
import CarillonServer
import Testing

@testable import carillon

@Suite("A listener for operators")
struct OperatorOptionsTests {
    private static let base = ["serve", "--data", "d", "--topic", "com.example.chime", "--apns", "production"]

    private func command(_ options: [String]) throws -> ServeCommand {
        try #require(try CarillonCommand.parseAsRoot(Self.base + options) as? ServeCommand)
    }

    @Test("there is none without its port, and it listens on loopback unless an address is given")
    func address() throws {
        #expect(try command([]).operators.address == nil)
        #expect(try command(["--operator-port", "8081"]).operators.address == .init(host: "127.0.0.1", port: 8081))
        let elsewhere = try command(["--operator-port", "0", "--operator-host", "10.0.0.5"])
        #expect(elsewhere.operators.address == .init(host: "10.0.0.5", port: 0))
    }

    @Test(
        "options that contradict each other are refused with what to do",
        arguments: [
            (["--operator-host", "10.0.0.5"], "--operator-host needs --operator-port"),
            (["--operator-port", "70000"], "--operator-port must be between 0 and 65535"),
            (["--operator-port", "8080"], "--operator-port must differ from --port"),
        ])
    func refused(_ options: [String], _ reason: String) {
        let error = #expect(throws: (any Error).self) { try command(options) }
        #expect(error.map { ServeCommand.message(for: $0).contains(reason) } == true)
    }

    @Test("a process that only sends may have its operators' listener at the usual port")
    func sender() throws {
        #expect(try command(["--role", "sender", "--operator-port", "8080"]).operators.address?.port == 8080)
    }
}
