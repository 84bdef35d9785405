import CarillonCore
import Foundation
import NIOHPACK

/// The fields that Carillon reads from an answer's header block.
struct APNsAnswerHead: Sendable, Hashable {
    let status: Int
    /// `apns-id`, or `apns-request-id` for broadcasts and channel requests; `nil` if it is absent or not a UUID.
    var apnsID: UUID?
    /// `apns-unique-id`: the id by which Apple's Push Notifications Console finds the push; `nil` if the answer has none.
    var uniqueID: String?
    /// `apns-channel-id`: the id of a new channel.
    var channelID: String?
    /// `date`, read only with the status 403: it can show that a wrong clock made APNs reject a provider token.
    var date: Timestamp?
}

extension APNsAnswerHead {
    /// Reads a header block; returns `nil` for a block without a status, such as trailers.
    init?(_ headers: HPACKHeaders) {
        var status: Int?
        var apnsID: UUID?
        var uniqueID: String?
        var channelID: String?
        var date: String?
        for (name, value, _) in headers {
            switch name {
            case ":status": status = Int(value)
            case "apns-id", "apns-request-id": apnsID = UUID(headerText: value)
            case "apns-unique-id": uniqueID = value
            case "apns-channel-id": channelID = value
            case "date": date = value
            default: break
            }
        }
        guard let status, (100...999).contains(status) else { return nil }
        self.init(status: status, apnsID: apnsID, uniqueID: uniqueID, channelID: channelID)
        if status == 403 { self.date = date.flatMap { Timestamp(httpDate: $0) } }
    }
}
