import ArgumentParser
import CarillonCore
import CommandSupport
import Foundation
import FoundationNetworking

/// `carillon why`: reports what the phones of a running `carillon up` did with their pushes.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Shows what the phones of a running 'carillon up' did with each push, and why.",
        discussion: """
            Lists each push and local notification: where it was shown or why not, whether it woke the app, and what the \
            app answered. A phone keeps its last 1000. After them come the messages that APNs stores for the phone or has \
            discarded.

            A message is found by its id or the beginning of it, a phone by its id or its name; where several begin so, \
            they are listed.

            Exit status: 0 when a push was found, 1 when no phone has had this message, or any push, when several are \
            meant, or when there is no response from --url.

            Examples:
              carillon why
              carillon why news-1
              carillon why 94fac197
              carillon why --phone phone-2 --last 5 --url http://127.0.0.1:9000
            """)

    @Argument(
        help: ArgumentHelp(
            "The id of a message, or its beginning or end. (default: all messages)", valueName: "message"))
    var message: String?

    @Option(help: ArgumentHelp("The address of 'carillon up'.", valueName: "url"))
    var url = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("Only this phone, by id or name.", valueName: "phone"))
    var phone: String?

    @Option(help: ArgumentHelp("How many of the newest pushes to list for each phone.", valueName: "n"))
    var last = 20

    @Flag(help: "Print one JSON array.")
    var json = false

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last must be above 0") }
        try ServiceAddress.check(url, schemes: ["http"])
    }

    func run() async throws {
        var histories = try await histories()
        if let phone { histories = [try Self.history(of: phone, among: histories)] }
        if let message {
            let id = try Self.messageID(message, in: histories)
            histories = histories.map { $0.about(id) }
        }
        if json {
            try StandardOutput.write(json: try CarillonJSON.encode(histories.map { $0.newest(last) }))
        } else {
            try StandardOutput.write(histories.map { $0.text(limit: last) }.joined(separator: "\n\n"))
        }
        if histories.allSatisfy(\.isEmpty) { throw ExitCode.failure }
    }

    private static func history(of phone: String, among histories: [PushHistory]) throws -> PushHistory {
        let names = Shorthand.meanings(of: phone, among: histories.flatMap { [$0.phone, $0.name] })
        let meant = histories.filter { names.contains($0.phone) || names.contains($0.name) }
        if meant.count == 1 { return meant[0] }
        let known = (meant.isEmpty ? histories : meant).map { "\($0.phone) (\($0.name))" }.joined(separator: ", ")
        throw WhyFailure(
            meant.isEmpty
                ? "there is no phone \(phone), only \(known)" : "several phones begin with \(phone): \(known)")
    }

    /// Returns the message id that begins with the typed text.
    ///
    /// If no id begins with the text, the function returns the text, which then matches no push. If several ids begin with the
    /// text, it throws ``WhyFailure``.
    private static func messageID(_ typed: String, in histories: [PushHistory]) throws -> String {
        let ids = Shorthand.meanings(of: typed, among: histories.flatMap(\.messageIDs))
        guard ids.count > 1 else { return ids.first ?? typed }
        let listed = ids.prefix(PhonesLimits.candidates).map { "\n  \($0)" }.joined()
        let rest = ids.count - PhonesLimits.candidates
        throw WhyFailure(
            "several messages begin with \(typed):\(listed)" + (rest > 0 ? "\n  and \(rest) more" : ""))
    }

    private func histories() async throws -> [PushHistory] {
        guard let pushes = URL(string: "/pushes", relativeTo: URL(string: url)) else {
            throw WhyFailure("\(url) is not an address")
        }
        let answer: (data: Data, response: URLResponse)
        do {
            answer = try await URLSession.shared.data(for: URLRequest(url: pushes, timeoutInterval: 10))
        } catch {
            throw WhyFailure("no response from \(url): is 'carillon up' running there?")
        }
        guard (answer.response as? HTTPURLResponse)?.statusCode == 200,
            let histories = try? CarillonJSON.decode([PushHistory].self, from: answer.data)
        else { throw WhyFailure("the server at \(url) has no phones: is it 'carillon up'?") }
        return histories
    }
}

/// An error whose description explains why there is nothing to report.
private struct WhyFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
