import CarillonAPNs
import CarillonCore
import CarillonServer
import CarillonSimulator
import CommandSupport
import Foundation
import ServiceLifecycle
import ServiceSupport

/// Prints the page's address and a command that sends a message, when the service listens and the phones are on.
struct ReadyMessage: Service {
    let stack: LocalStack
    let phoneHost: PhoneHost

    func run() async throws {
        if let address = try? await stack.address() {
            await phoneHost.waitUntilOn()
            // The page works even if standard output is closed.
            try? StandardOutput.write(Self.words(address, stack))
        }
        try? await gracefulShutdown()
    }

    static func words(_ address: URL, _ stack: LocalStack) -> String {
        """
        \(ReadyLine.prefix)\(address)

          Open the page: two iPhones of the user \(LocalStack.user) run Chime. Allow notifications, then send one with:

            curl -sS \(address)/v1/notifications \\
              -H 'Authorization: Bearer \(stack.apiKey)' -H 'Content-Type: application/json' \\
              -d '{"to": {"user": "\(LocalStack.user)"}, "payload": {"aps": {"alert": {"title": "Hello", "body": "Sent with curl."}}}}'

          The simulated APNs is at https://\(URLAuthority.text(host: stack.simulator.host, port: stack.simulator.port)); its keys are in \
        \(stack.folder.service.url.path)/apns.
          All data is in \(stack.folder.service.url.path). Ctrl-C stops everything.

        """
    }
}
