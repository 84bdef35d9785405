import ArgumentParser
import CarillonAPNs
import CarillonCore
import CommandSupport
import Foundation
import ServiceSupport

/// The options of all commands about broadcast channels, with the code that sends a command's request and prints the result.
struct ChannelOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app's bundle id, without a suffix.", valueName: "bundle id"))
    var topic: String

    @OptionGroup(title: "Credential") var credential: CredentialOptions

    @OptionGroup(title: "APNs") var endpoint: EndpointOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Sends one request to APNs and prints the result.
    ///
    /// - Parameters:
    ///   - ask: a closure that sends the request.
    ///   - report: a closure that makes the report to print from the request's result.
    /// - Throws: an `ExitCode` other than 0 if APNs rejects the request or does not answer; an error whose description names an
    ///   invalid option.
    func run<Value: Sendable>(
        _ ask: (APNsClient) async throws(APNsError) -> APNsChannelOutcome<Value>, report: (Value) -> ChannelReport
    ) async throws {
        let clock = SystemClock()
        let credential = try credential.credential()
        credential.warn(at: clock.now)
        let client = try endpoint.client(credential, at: try endpoint.channelEndpoint(), clock: clock)
        let result: Result<APNsChannelOutcome<Value>, APNsError>
        do throws(APNsError) {
            result = .success(try await ask(client))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        switch result {
        case .success(.done(let value)): try print(report(value))
        case .success(.rejected(let rejection)): try end(PushReport(.rejected(rejection)))
        case .failure(let error): try end(PushReport(error))
        }
    }

    private func print(_ report: ChannelReport) throws {
        if json {
            try StandardOutput.write(json: try JSONValue.object(report.json).encoded())
        } else if !report.lines.isEmpty {
            try StandardOutput.write(report.lines.joined(separator: "\n"))
        }
    }

    private func end(_ report: PushReport) throws {
        try StandardOutput.write(try report.printed(asJSON: json))
        throw report.exitCode
    }
}
