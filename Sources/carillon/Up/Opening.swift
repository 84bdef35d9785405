import CarillonAPNs
import CarillonCore
import CarillonServer
import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Says to the person what there is to see, once there is.
struct Opening: Service {
    let cast: Cast

    func run() async throws {
        if let address = try? await cast.address() {
            FileHandle.standardOutput.write(Data(Self.words(address, cast).utf8))
        }
        try? await gracefulShutdown()
    }

    static func words(_ address: URL, _ cast: Cast) -> String {
        """
        \(Announcement.prefix)\(address)

          Two iPhones of the user \(Cast.user) run Chime there. Let it send notifications, then send one from here:

            curl -sS \(address)/v1/notifications \\
              -H 'Authorization: Bearer \(cast.apiKey)' -H 'Content-Type: application/json' \\
              -d '{"to": {"user": "\(Cast.user)"}, "payload": {"aps": {"alert": {"title": "Hello", "body": "Sent with curl."}}}}'

          The simulated APNs is at https://\(cast.simulator.host):\(cast.simulator.port), its keys are in \
        \(cast.folder.service.url.path)/apns.
          Everything is kept in \(cast.folder.service.url.path). Ctrl-C stops it.


        """
    }
}

/// Keeps an APNs client open until the process is asked to end.
struct ClientService: Service {
    let client: APNsClient

    func run() async throws {
        try? await gracefulShutdown()
        await client.shutdown()
    }
}
