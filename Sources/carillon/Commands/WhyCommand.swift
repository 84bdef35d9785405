import ArgumentParser
import CarillonCore
import Foundation
import FoundationNetworking

/// `carillon why`: asks the phones of a running `carillon up` what became of their pushes.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Asks the phones of a running carillon up: what became of a push, and why was it not shown?",
        discussion: """
            Each push and local notification is listed with where it was shown or why not, whether it woke the app and \
            what the app answered. The phones remember their last 1000.

            Exit status: 0 when something is told, 1 when no phone knows of the message, or of any push, or when nothing \
            answers.

            Examples:
              carillon why
              carillon why news-1
              carillon why --phone phone-2 --last 5 --url http://127.0.0.1:9000
            """)

    @Argument(help: ArgumentHelp("A message's id. (default: all of them)", valueName: "message"))
    var message: String?

    @Option(help: ArgumentHelp("Where carillon up shows its page.", valueName: "url"))
    var url = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("Only this phone, by its id or name.", valueName: "phone"))
    var phone: String?

    @Option(help: ArgumentHelp("How many of the newest pushes of each phone are told.", valueName: "n"))
    var last = 20

    @Flag(help: "Print one JSON array.")
    var json = false

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last takes a number above 0") }
        guard let address = URL(string: url), address.scheme == "http", address.host != nil else {
            throw ValidationError("--url: \(url) is not an address like http://127.0.0.1:8080")
        }
    }

    func run() async throws {
        var histories = try await histories()
        if let phone {
            let known = histories.map { "\($0.phone) (\($0.name))" }.joined(separator: ", ")
            histories = histories.filter { $0.phone == phone || $0.name == phone }
            guard !histories.isEmpty else { throw WhyFailure("no phone \(phone); there are \(known)") }
        }
        if let message { histories = histories.map { $0.about(message) } }
        if json {
            try StandardOutput.write(json: try CarillonJSON.encode(histories.map { $0.newest(last) }))
        } else {
            try StandardOutput.write(histories.map { $0.text(limit: last) }.joined(separator: "\n\n"))
        }
        if histories.allSatisfy(\.pushes.isEmpty) { throw ExitCode.failure }
    }

    private func histories() async throws -> [PushHistory] {
        guard let pushes = URL(string: "/pushes", relativeTo: URL(string: url)) else {
            throw WhyFailure("\(url) is not an address")
        }
        let answer: (data: Data, response: URLResponse)
        do {
            answer = try await URLSession.shared.data(for: URLRequest(url: pushes, timeoutInterval: 10))
        } catch {
            throw WhyFailure("nobody answers at \(url); is carillon up running there?")
        }
        guard (answer.response as? HTTPURLResponse)?.statusCode == 200,
            let histories = try? CarillonJSON.decode([PushHistory].self, from: answer.data)
        else { throw WhyFailure("what answers at \(url) has no phones; is it carillon up?") }
        return histories
    }
}

extension PushHistory {
    fileprivate func newest(_ count: Int) -> PushHistory {
        PushHistory(phone: phone, name: name, pushes: Array(pushes.suffix(count)))
    }
}

/// Why nothing could be told, in one sentence.
private struct WhyFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
