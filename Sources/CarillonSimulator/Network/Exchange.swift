import CarillonCore
import Foundation

/// A request, with the ids that the headers of its answer contain.
struct Exchange {
    let request: IncomingRequest
    let id: UUID
    /// The id in the answer: the sender's id as received, or one made by the simulator, in upper case like APNs' own.
    let shownID: String
    /// The answer's `apns-unique-id`; `nil` outside the sandbox.
    private let uniqueID: String?
    private let doors: RequestRecord.Header?

    // `doors` is the header that names the open doors.
    init(
        _ request: IncomingRequest, generator: inout SeededGenerator, isSandbox: Bool, doors: RequestRecord.Header?
    ) {
        self.request = request
        self.doors = doors
        let text = request.head.isAboutChannels ? request.head.requestID : request.head.apnsID
        if let text, MessageIdentifier.isWellFormed(text), let given = UUID(uuidString: text) {
            id = given
            shownID = text
        } else {
            id = MessageIdentifier.make(using: &generator)
            shownID = MessageIdentifier.text(of: id, uppercase: true)
        }
        uniqueID =
            isSandbox
            ? MessageIdentifier.text(of: MessageIdentifier.make(using: &generator), uppercase: false) : nil
    }

    /// The headers that every answer has: the request's id (`apns-id` or `apns-request-id`), and the open doors.
    var headers: [RequestRecord.Header] {
        [.init(name: request.head.isAboutChannels ? "apns-request-id" : "apns-id", value: shownID)]
            + (doors.map { [$0] } ?? [])
    }

    var headersOfAccepted: [RequestRecord.Header] {
        headers + (uniqueID.map { [.init(name: "apns-unique-id", value: $0)] } ?? [])
    }
}
