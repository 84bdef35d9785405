import ArgumentParser
import CarillonAPNs
import CarillonCore

/// `carillon keys token`: a provider token for tools that cannot sign.
struct KeysTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a provider token, good for an hour, for curl and other tools that cannot sign one.",
        discussion: """
            Whoever has the token can send to all devices of the key's apps: do not log it. APNs wants the same one for \
            at least 20 minutes.

            Example:
              curl --http2 https://api.sandbox.push.apple.com/3/device/8f3c… -H "apns-topic: com.example.chime" \\
                -H "apns-push-type: alert" -d '{"aps":{"alert":"Hello"}}' \\
                -H "authorization: bearer $(carillon keys token --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456)"
            """)

    @OptionGroup var key: KeyOptions

    func run() throws {
        try StandardOutput.write(try key.signingKey().providerToken(issued: SystemClock().now))
    }
}
