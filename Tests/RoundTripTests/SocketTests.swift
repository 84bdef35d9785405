import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport

@Suite("carillon serve on a Unix socket", .timeLimit(.minutes(5))) struct SocketTests {
    /// A folder with the data, the socket and the log of a service that takes requests and sends nothing.
    private struct Place {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try #require(path("c.sock").utf8.count <= 107)
        }

        func path(_ name: String) -> String { folder.url.appending(path: name).path }

        var socket: String { path("c.sock") }

        var log: String { (try? String(contentsOfFile: path("log"), encoding: .utf8)) ?? "" }

        func arguments(_ options: [String], data: String = "data") -> [String] {
            ["serve", "--data", path(data), "--topic", "com.example.chime", "--role", "api", "--socket", socket]
                + options
        }

        /// Starts the service, and waits until it is ready.
        ///
        /// - Returns: the program, and its line after `Carillon is ready at `.
        func serve(_ options: String...) async throws -> (program: RunningProgram, place: String) {
            let program = try RunningProgram(arguments(options), log: URL(fileURLWithPath: path("log")))
            for await line in program.lines where line.hasPrefix(ReadyLine.prefix) {
                return (program, String(line.dropFirst(ReadyLine.prefix.count)))
            }
            throw MissingProgram(path: "a service that is ready: \(log)")
        }

        /// Calls the service over its socket with curl, and returns the answer's status.
        func call(_ path: String, _ options: String...) async throws -> String {
            try await call(path, options)
        }

        func call(_ path: String, _ options: [String]) async throws -> String {
            let run = try await CarillonProgram.runTool(
                ["curl", "-sS", "--unix-socket", socket, "-o", "/dev/null", "-w", "%{http_code}"] + options
                    + ["http://push.example.com\(path)"])
            #expect(run.status == 0, "\(run.transcript)")
            return run.output
        }

        /// Registers a new installation over the socket, and returns the answer's status.
        func register(_ name: String, _ header: String? = nil) async throws -> String {
            let body: JSONValue = [
                "installation": .string(name), "secret": .string(String(repeating: "5e", count: 32)),
                "topic": "com.example.chime", "environment": "sandbox", "permission": "authorized",
                "token": .string(Data(name.utf8).hexadecimal),
            ]
            let text = String(decoding: try body.encoded(), as: UTF8.self)
            return try await call(
                "/v1/devices",
                ["-H", "Content-Type: application/json", "-d", text] + (header.map { ["-H", $0] } ?? []))
        }

        var permissions: Int? {
            (try? FileManager.default.attributesOfItem(atPath: socket))?[.posixPermissions] as? Int
        }
    }

    @Test("all that a port serves is served, the file has its permissions, and is removed at the end")
    func story() async throws {
        let place = try Place()
        let (program, ready) = try await place.serve()
        #expect(ready == "unix:\(place.socket)")
        #expect(place.permissions == 0o660)
        #expect(try await place.call("/readyz") == "200")
        #expect(try await place.call("/metrics") == "200", "who connects is a proxy, which may pass any name on")
        #expect(try await place.call("/v1/app") == "401")
        #expect(place.log.contains("the service listens on a Unix socket") && place.log.contains("mode=0660"))
        #expect(await program.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: place.socket))
    }

    @Test("each address that the proxy names has its own limit, and clients without one share a limit, said once")
    func limits() async throws {
        let place = try Place()
        let (program, _) = try await place.serve("--registrations-per-address", "1", "--log-format", "json")
        #expect(try await place.register("a", "X-Forwarded-For: 203.0.113.1") == "200")
        #expect(try await place.register("b", "X-Forwarded-For: 6.6.6.6, 203.0.113.2") == "200")
        #expect(try await place.register("c", "X-Forwarded-For: 203.0.113.1") == "429")
        #expect(try await place.register("d", "Forwarded: for=\"[2001:db8::1]:4711\";proto=https") == "200")
        #expect(try await place.register("e", "Forwarded: for=6.6.6.6, for=\"[2001:db8::1]\"") == "429")
        #expect(!place.log.contains("all its clients share"))
        #expect(try await place.register("f") == "200")
        #expect(try await place.register("g") == "429", "a second client without an address")
        #expect(try await place.register("h", "X-Forwarded-For: unknown") == "429")
        #expect(try await place.register("i", "X-Forwarded-For: 203.0.113.9") == "200")
        let lines = place.log.split(separator: "\n").map { (try? JSONValue(parsing: String($0))) ?? .null }
        let told = lines.filter { $0["message"]?.stringValue?.contains("all its clients share") == true }
        #expect(told.count == 1 && told.first?["level"] == "warning", "\(place.log)")
        #expect(lines.allSatisfy { $0 != .null }, "\(place.log)")
        #expect(await program.terminate() == 0)
    }

    @Test("another site's page is refused as at a port")
    func otherSite() async throws {
        let place = try Place()
        let (program, _) = try await place.serve()
        #expect(try await place.register("a", "Sec-Fetch-Site: cross-site") == "403")
        #expect(try await place.register("a", "Origin: https://push.example.com") == "200", "behind TLS of the proxy")
        #expect(await program.terminate() == 0)
    }

    @Test("the socket of a process that was killed is replaced; that of a running one is not, with status 1")
    func leftBehind() async throws {
        let place = try Place()
        let (killed, _) = try await place.serve()
        await killed.kill()
        #expect(FileManager.default.fileExists(atPath: place.socket))
        let check = try await CarillonProgram.run(place.arguments(["--check"]))
        #expect(check.status == 0, "\(check.transcript)")
        #expect(check.output.contains("note    --socket: the socket of an ended process is replaced: \(place.socket)"))
        let (program, _) = try await place.serve("--socket-mode", "0600")
        #expect(place.permissions == 0o600)
        #expect(place.log.contains("the socket of a process that has ended is replaced"))

        let second = try await CarillonProgram.run(place.arguments(["--log-format", "json"], data: "other"))
        #expect(second.status == 1 && second.output == "", "\(second.transcript)")
        let last = second.errors.split(separator: "\n").last.map(String.init) ?? ""
        let line = try JSONValue(parsing: last)
        #expect(line["level"] == "critical", "\(second.transcript)")
        #expect(
            line["metadata"]?["reason"]?.stringValue?.contains("\(place.socket): another process listens there")
                == true, "\(line)")
        #expect(try await place.call("/livez") == "200", "the first goes on")
        let running = try await CarillonProgram.run(place.arguments(["--check"]))
        #expect(running.status == 0, "\(running.transcript)")
        #expect(
            running.output.contains("a service of Carillon runs already at \(place.socket)"), "\(running.transcript)")
        #expect(running.output.contains("the running service says: ok"), "\(running.transcript)")
        #expect(await program.terminate() == 0)
    }

    @Test("a service leaves the file alone that another has put in the place of its own")
    func replaced() async throws {
        let place = try Place()
        let (first, _) = try await place.serve()
        try FileManager.default.removeItem(atPath: place.socket)
        let (second, _) = try await place.serve("--data", place.path("other"))
        #expect(await first.terminate() == 0)
        #expect(try await place.call("/livez") == "200")
        #expect(await second.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: place.socket))
    }

    @Test("of several services that start at once, one gets the socket and all others say so")
    func race() async throws {
        let place = try Place()
        let (stale, _) = try await place.serve()
        await stale.kill()
        let programs = try (0..<4).map { number in
            try RunningProgram(
                place.arguments([], data: "data-\(number)"), log: URL(fileURLWithPath: place.path("log-\(number)")))
        }
        let ready = await withTaskGroup(of: Bool.self) { group in
            for program in programs {
                group.addTask {
                    for await line in program.lines where line.hasPrefix(ReadyLine.prefix) { return true }
                    return false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(ready == 1)
        #expect(try await place.call("/livez") == "200")
        for program in programs where program.isRunning { #expect(await program.terminate() == 0) }
    }

    @Test("with --port the service listens on both, and the operators' port stays as it is")
    func both() async throws {
        let place = try Place()
        let (program, ready) = try await place.serve("--port", "0", "--operator-port", "0")
        let parts = ready.split(separator: " ").map(String.init)
        try #require(parts.count == 4, "\(ready)")
        #expect(parts[1...] == ["and", "at", "unix:\(place.socket)"])
        #expect(try await CarillonProgram.runTool("curl", "-sS", "\(parts[0])/livez").output.contains("404"))
        let (devices, health) = (try await place.call("/v1/devices"), try await place.call("/livez"))
        #expect(devices == "405" && health == "404", "for phones only")
        #expect(await program.terminate() == 0)
    }

    @Test("a place where the service cannot listen is told with what to do, before a client could come")
    func mistakes() async throws {
        let place = try Place()
        func refused(_ socket: String) async throws -> String {
            let run = try await CarillonProgram.run(
                "serve", "--data", place.path("data"), "--topic", "com.example.chime", "--role", "api", "--socket",
                socket)
            #expect(run.status == 1 && run.output == "", "\(run.transcript)")
            let check = try await CarillonProgram.run(
                "serve", "--data", place.path("data"), "--topic", "com.example.chime", "--role", "api", "--socket",
                socket, "--check")
            #expect(check.status == 1 && check.output.contains("error   --socket \(socket): "), "\(check.transcript)")
            return run.errors
        }
        #expect(try await refused(place.path("none/c.sock")).contains("create \(place.path("none"))"))
        try Data("kept".utf8).write(to: URL(fileURLWithPath: place.socket))
        #expect(try await refused(place.socket).contains("the file there is no socket"))
        #expect(try String(contentsOfFile: place.socket, encoding: .utf8) == "kept")
        let long = try await CarillonProgram.run(place.arguments(["--socket", String(repeating: "s", count: 108)]))
        #expect(long.status == 64 && long.errors.contains("choose a shorter one"), "\(long.transcript)")
    }

    @Test("who is in the folder's group may connect, and nobody else")
    func permissions() async throws {
        guard geteuid() == 0 else { try Test.cancel("only root can become another user") }
        let place = try Place()
        let made = try await CarillonProgram.runTool(
            "sh", "-c", "mkdir \(place.path("run")) && chgrp 65533 \(place.path("run")) && chmod 0711 \(place.path(""))"
        )
        try #require(made.status == 0, "\(made.transcript)")
        let socket = place.path("run/c.sock")
        let (program, _) = try await place.serve("--socket", socket)
        func status(group: String) async throws -> Int32 {
            try await CarillonProgram.runTool(
                "setpriv", "--reuid=65534", "--regid=\(group)", "--clear-groups", "curl", "-sS", "--unix-socket",
                socket,
                "http://localhost/livez"
            ).status
        }
        #expect(try await status(group: "65533") == 0)
        #expect(try await status(group: "65532") == 7, "curl could not connect")
        #expect(await program.terminate() == 0)
    }

    @Test("nginx passes calls on with each client's address", .enabled(if: NginxForTests.isInstalled))
    func nginx() async throws {
        let place = try Place()
        let (program, _) = try await place.serve("--registrations-per-address", "1")
        let nginx = try NginxForTests(before: place.socket, in: place.folder)
        let health = "http://127.0.0.1:\(nginx.port)/livez"
        while try await CarillonProgram.runTool("curl", "-s", "-o", "/dev/null", health).status == 7 {}
        func register(_ name: String, from address: String) async throws -> String {
            try await CarillonProgram.runTool(
                "curl", "-sS", "--interface", address,
                "-o", "/dev/null", "-w", "%{http_code}", "-H", "X-Forwarded-For: 6.6.6.\(name.count)", "-H",
                "Content-Type: application/json", "-d",
                #"{"installation": "\#(name)", "secret": "\#(String(repeating: "5e", count: 32))", "topic": "com.example.chime", "environment": "sandbox", "permission": "authorized", "token": "\#(Data(name.utf8).hexadecimal)"}"#,
                "http://127.0.0.1:\(nginx.port)/v1/devices"
            ).output
        }
        #expect(try await register("a", from: "127.0.0.2") == "200")
        #expect(try await register("bb", from: "127.0.0.3") == "200")
        #expect(try await register("ccc", from: "127.0.0.2") == "429")
        await nginx.stop()
        #expect(await program.terminate() == 0)
    }
}

/// An nginx that passes everything on to a Unix socket, as docs/host-it.md has it.
private struct NginxForTests {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")

    let port: Int
    private let program: RunningProgram

    init(before socket: String, in folder: TemporaryFolder) throws {
        port = try FreePort.find()
        let (work, file) = (folder.url.path, folder.url.appending(path: "nginx.conf"))
        let settings = """
            daemon off; master_process off; error_log \(work)/error.log; pid \(work)/nginx.pid;
            events { worker_connections 64; }
            http {
                access_log off;
                client_body_temp_path \(work)/body; proxy_temp_path \(work)/proxy; fastcgi_temp_path \(work)/fastcgi;
                uwsgi_temp_path \(work)/uwsgi; scgi_temp_path \(work)/scgi;
                proxy_set_header X-Forwarded-For $remote_addr;
                server {
                    listen 127.0.0.1:\(port);
                    location / { proxy_pass http://unix:\(socket); }
                }
            }
            """
        try settings.write(to: file, atomically: true, encoding: .utf8)
        // The shell gets the path of carillon as its name.
        program = try RunningProgram([], under: ["sh", "-c", "exec /usr/sbin/nginx -c \(file.path)"])
    }

    /// Ends it by force: it has nothing to finish.
    func stop() async { await program.kill() }
}
