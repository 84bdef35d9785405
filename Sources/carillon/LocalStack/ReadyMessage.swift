import CarillonAPNs
import CarillonCore
import CarillonServer
import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Says to the person what there is to see, once there is.
struct ReadyMessage: Service {
    let stack: LocalStack

    func run() async throws {
        if let address = try? await stack.address() {
            // Without a reader the page is there all the same.
            try? StandardOutput.write(Self.words(address, stack))
        }
        try? await gracefulShutdown()
    }

    static func words(_ address: URL, _ stack: LocalStack) -> String {
        """
        \(ReadyLine.prefix)\(address)

          Two iPhones of the user \(LocalStack.user) run Chime there. Let it send notifications, then send one from here:

            curl -sS \(address)/v1/notifications \\
              -H 'Authorization: Bearer \(stack.apiKey)' -H 'Content-Type: application/json' \\
              -d '{"to": {"user": "\(LocalStack.user)"}, "payload": {"aps": {"alert": {"title": "Hello", "body": "Sent with curl."}}}}'

          The simulated APNs is at https://\(stack.simulator.host):\(stack.simulator.port), its keys are in \
        \(stack.folder.service.url.path)/apns.
          Everything is kept in \(stack.folder.service.url.path). Ctrl-C stops it.

        """
    }
}
