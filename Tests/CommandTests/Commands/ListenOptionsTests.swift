import ArgumentParser
import CarillonServer
import Testing

@testable import carillon

@Suite("A port, a socket, or both")
struct ListenOptionsTests {
    private static let base = ["serve", "--data", "d", "--topic", "com.example.chime", "--apns", "production"]

    private func listener(_ options: [String]) throws -> ListenOptions {
        try #require(try CarillonCommand.parseAsRoot(Self.base + options) as? ServeCommand).listener
    }

    @Test("the port is 8080, and with a socket there is none unless it is given")
    func places() throws {
        let usual = try listener([])
        #expect(usual.address == .init(host: "127.0.0.1", port: 8080) && usual.socketPlace == nil)
        let alone = try listener(["--socket", "/run/c.sock"])
        #expect(alone.address == nil && alone.socketPlace == .init(path: "/run/c.sock", mode: 0o660))
        let both = try listener(["--socket", "c.sock", "--socket-mode", "600", "--port", "8080", "--host", "::1"])
        #expect(both.address == .init(host: "::1", port: 8080))
        #expect(both.socketPlace == .init(path: "c.sock", mode: 0o600))
        #expect(try listener(["--socket", String(repeating: "s", count: 107)]).socketPlace != nil)
    }

    @Test(
        "options that cannot be meant are refused with what to do",
        arguments: [
            (["--socket", String(repeating: "é", count: 54)], "the path has 108 bytes, and the system takes 1 to 107"),
            (["--socket", ""], "the path has 0 bytes"),
            (["--socket-mode", "0660"], "--socket-mode needs --socket"),
            (["--socket", "s", "--socket-mode", "rw"], "expected three or four octal digits"),
            (["--socket", "s", "--socket-mode", "8"], "expected three or four octal digits"),
            (["--socket", "s", "--socket-mode", "1777"], "expected three or four octal digits"),
            (["--socket", "s", "--socket-mode", ""], "expected three or four octal digits"),
            (["--socket", "s", "--host", "10.0.0.5"], "--host needs --port where --socket is given"),
            (["--port", "65536"], "--port must be between 0 and 65535"),
            (["--socket", "s", "--tls-certificate", "c.pem"], "--tls-certificate is for --port"),
        ])
    func refused(_ options: [String], _ reason: String) {
        let error = #expect(throws: (any Error).self) { try listener(options) }
        let message = error.map { ServeCommand.message(for: $0) } ?? ""
        #expect(message.contains(reason), "\(message)")
    }
}
