import ArgumentParser
import CarillonAPNs
import Testing

@testable import carillon

/// Production and sandbox are two servers, so a command that takes the one for the other reaches no phone.
@Suite("The address of APNs on the command line") struct EndpointTests {
    private static let push = ["--token", "aa", "--topic", "t", "--payload", "-"]
    private static let serve = ["--data", "d", "--topic", "t"]
    private static let other = APNsEndpoint(host: "localhost", port: 2197)

    @Test("a push goes to production, with --sandbox to the sandbox, with --url elsewhere")
    func push() throws {
        #expect(try PushCommand.parse(Self.push).endpoint.endpoint() == .production)
        #expect(try PushCommand.parse(Self.push + ["--sandbox"]).endpoint.endpoint() == .sandbox)
        #expect(
            try PushCommand.parse(Self.push + ["--url", "https://localhost:2197"]).endpoint.endpoint() == Self.other)
    }

    @Test("channels have hosts of their own, one for each environment")
    func channels() throws {
        #expect(try EndpointOptions.parse([]).channelEndpoint() == .productionChannels)
        #expect(try EndpointOptions.parse(["--sandbox"]).channelEndpoint() == .sandboxChannels)
        #expect(APNsEndpoint.productionChannels.host == "api-manage-broadcast.push.apple.com")
        #expect(APNsEndpoint.productionChannels.port == 2196)
        #expect(APNsEndpoint.sandboxChannels.host == "api-manage-broadcast.sandbox.push.apple.com")
        #expect(APNsEndpoint.sandboxChannels.port == 2195)
    }

    @Test("--sandbox beside --url is refused in every command that sends")
    func both() {
        let both = ["--sandbox", "--url", "https://localhost:2197"]
        let refusals = [
            #expect(throws: (any Error).self) { try PushCommand.parse(Self.push + both) }
                .map { PushCommand.message(for: $0) },
            #expect(throws: (any Error).self) { try KeysCheckCommand.parse(both) }
                .map { KeysCheckCommand.message(for: $0) },
        ]
        #expect(refusals == Array(repeating: "use either --sandbox or --url, not both", count: 2))
    }

    @Test("a credential is checked at both of Apple's servers, or at the one that is named")
    func check() throws {
        func endpoints(_ arguments: String...) throws -> [String: APNsEndpoint] {
            let named = try KeysCheckCommand.parse(["--topic", "t"] + arguments).endpoints()
            return Dictionary(uniqueKeysWithValues: named)
        }
        #expect(try endpoints() == ["production": .production, "sandbox": .sandbox])
        #expect(try endpoints("--sandbox") == ["sandbox": .sandbox])
        let url = "https://localhost:2197"
        #expect(try endpoints("--url", url) == [url: Self.other])
    }

    @Test("a service sends to each environment's server, or everything to the sandbox, or everything to another")
    func serve() throws {
        func endpoints(_ arguments: String...) throws -> [APNsEndpoint] {
            let both = try ServeCommand.parse(Self.serve + arguments).endpoints()
            return [both.production, both.sandbox]
        }
        #expect(try endpoints("--apns", "production") == [.production, .sandbox])
        #expect(try endpoints("--apns", "sandbox") == [.sandbox, .sandbox])
        #expect(try endpoints("--apns-url", "https://localhost:2197") == [Self.other, Self.other])
    }
}
