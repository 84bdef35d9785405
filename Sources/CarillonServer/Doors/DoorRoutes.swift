import CarillonCore
import HTTPTypes
import Hummingbird

/// The routes of the open doors (``Door``).
struct DoorRoutes {
    let service: ServiceContext
    let messages: MessageCalls
    let devices: DeviceCalls

    func add(to router: Router<ServiceRequestContext>) {
        let sender = DoorSender(service: service, messages: messages, devices: devices)
        for door in service.configuration.doors.sorted(by: { $0.rawValue < $1.rawValue }) {
            switch door {
            case .gorush: GorushRoutes(service: service, sender: sender).add(to: router)
            case .onesignal: OneSignalRoutes(service: service, messages: messages, sender: sender).add(to: router)
            }
        }
    }
}

/// The refusal of a call in another service's words.
enum DoorRefusal {
    /// Runs a call, and answers a refusal in the other service's form.
    ///
    /// A value that cannot be accepted is a 400 there, and not a 422.
    ///
    /// - Parameters:
    ///   - body: the call.
    ///   - form: makes the answer's body from the HTTP status and a sentence.
    /// - Returns: the answer.
    /// - Throws: the errors of `body`, but no ``Problem``.
    static func answering(
        _ body: () async throws -> Response, as form: (Int, String) -> some Encodable
    ) async throws -> Response {
        do {
            return try await body()
        } catch let problem as Problem {
            let status = problem.status == .unprocessableContent ? .badRequest : problem.status
            let place = problem.document.pointer.map { $0.isEmpty ? "" : "\($0) " } ?? ""
            var answer = try JSONBody.answer(form(status.code, place + problem.document.detail), status: status)
            answer.headers.append(contentsOf: problem.headers)
            return answer
        }
    }
}

extension Response {
    /// Names, in the header `carillon-ignored`, the members of a call in another service's words that had no effect.
    func naming(ignored: Set<String>) -> Response {
        guard !ignored.isEmpty, let field = HTTPField.Name("carillon-ignored") else { return self }
        var answer = self
        answer.headers[field] = ignored.sorted().map(Self.printable).joined(separator: ", ")
        return answer
    }

    private static func printable(_ name: String) -> String {
        String(
            name.prefix(DeliveryLimits.quotedKeyCharacters).map { character in
                character.isASCII && (character.isLetter || character.isNumber || "_-.".contains(character))
                    ? character : "?"
            })
    }
}
