import ArgumentParser
import CarillonAPNs
import CarillonCore
import CommandSupport
import ServiceSupport

/// `carillon keys token`: prints a provider token, for tools that cannot sign a token themselves.
struct KeysTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a provider token, valid for one hour, for curl and other tools that cannot sign one.",
        discussion: """
            Anyone who has the token can send to all devices of the key's apps: do not log it. Use a token for at least \
            20 minutes: APNs rejects senders that change it more often.

            Example:
              token=$(carillon keys token --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456)
              curl --http2 https://api.sandbox.push.apple.com/3/device/8f3c… \\
                -H "authorization: bearer $token" -H "apns-topic: com.example.chime" \\
                -H "apns-push-type: alert" -d '{"aps":{"alert":"Hello"}}'
            """)

    @OptionGroup var key: KeyOptions

    func run() throws {
        try StandardOutput.write(try key.signingKey().providerToken(issued: SystemClock().now))
    }
}
