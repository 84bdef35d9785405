import ArgumentParser
import CarillonServer

/// The options for the places where the service listens: a port, a Unix socket, or both.
struct ListenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The address to listen on. (default: 127.0.0.1)", valueName: "address"))
    var host: String?

    @Option(
        help: ArgumentHelp(
            "The port to listen on; 0 selects a free port. (default: 8080; none with --socket)", valueName: "n"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "A Unix socket in the place of the port, for a proxy on this machine; its X-Forwarded-For is believed.",
            discussion: "With --port as well, the service listens on both.", valueName: "file"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The permissions of the socket's file, in octal; its group is that of the folder. (default: 0660)",
            valueName: "mode"),
        transform: { try Self.mode($0) })
    var socketMode: Int?

    /// The address and port; `nil` if the service listens on a Unix socket only.
    var address: ServiceConfiguration.ListenAddress? {
        guard let port = port ?? (socket == nil ? 8080 : nil) else { return nil }
        return ServiceConfiguration.ListenAddress(host: host ?? "127.0.0.1", port: port)
    }

    /// The Unix socket; `nil` without `--socket`.
    var socketPlace: ServiceConfiguration.ListenSocket? {
        socket.map { path in
            var place = ServiceConfiguration.ListenSocket(path: path)
            if let socketMode { place.mode = socketMode }
            return place
        }
    }

    func validate() throws {
        if let port, !(0...65535).contains(port) { throw ValidationError("--port must be between 0 and 65535") }
        guard host == nil || address != nil else {
            throw ValidationError("--host needs --port where --socket is given")
        }
        guard socketMode == nil || socket != nil else { throw ValidationError("--socket-mode needs --socket") }
        guard let socket else { return }
        guard (1...SocketFile.pathByteLimit).contains(socket.utf8.count) else {
            throw ValidationError(
                "--socket: the path has \(socket.utf8.count) bytes, and the system takes 1 to \(SocketFile.pathByteLimit): choose a shorter one"
            )
        }
    }

    private static func mode(_ text: String) throws -> Int {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }),
            let mode = Int(text, radix: 8), (0...0o777).contains(mode)
        else { throw ValidationError("expected three or four octal digits, such as 0660") }
        return mode
    }
}
