import CarillonServer
import Foundation

extension AuditActor {
    /// The person who runs this program: the user of the operating system and the host, such as `anna on web-1`.
    ///
    /// For a program started by `sudo`, the text also names the user who has called `sudo`.
    package static var person: AuditActor {
        let user = ProcessInfo.processInfo.environment["SUDO_USER"].map { "\($0) as \(NSUserName())" } ?? NSUserName()
        return AuditActor("\(user) on \(hostName)")
    }

    /// The name of this host, without a look-up in the network.
    package static var hostName: String {
        var characters = [CChar](repeating: 0, count: 256)
        guard gethostname(&characters, characters.count - 1) == 0 else { return "this host" }
        return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
