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
    /// `apns-channel-id`: the id of a new channel; `nil` if the answer has none.
    var channelID: String?
    /// `date`, read only with the status 403: it can show that a wrong clock made APNs reject a provider token; otherwise
    /// `nil`.
    var date: Timestamp?
    /// `retry-after`, read only with the status 429 or one from 500: the seconds to wait before the next try; otherwise `nil`.
    var retryAfterSeconds: Int?
}

extension APNsAnswerHead {
    /// Reads a header block; returns `nil` for a block without a status, such as trailers.
    init?(_ headers: HPACKHeaders) {
        var status: Int?
        var apnsID: UUID?
        var uniqueID: String?
        var channelID: String?
        var date: String?
        var retryAfter: String?
        for (name, value, _) in headers {
            switch name {
            case ":status": status = Int(value)
            case "apns-id", "apns-request-id": apnsID = UUID(headerText: value)
            case "apns-unique-id": uniqueID = value
            case "apns-channel-id": channelID = value
            case "date": date = value
            case "retry-after": retryAfter = value
            default: break
            }
        }
        guard let status, (100...999).contains(status) else { return nil }
        self.init(status: status, apnsID: apnsID, uniqueID: uniqueID, channelID: channelID)
        if status == 403 { self.date = date.flatMap { Timestamp(httpDate: $0) } }
        if status == 429 || status >= 500, let retryAfter {
            retryAfterSeconds = Self.seconds(retryAfter, date: date)
        }
    }

    /// Reads `Retry-After`: a number of seconds, or a date ([RFC 9110
    /// §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
    ///
    /// A date is compared with the `Date` of the same answer, because this machine's clock may be wrong.
    private static func seconds(_ text: String, date: String?) -> Int? {
        let most = Int(ClientLimits.longestRetryAfter.components.seconds)
        if let seconds = UInt64(text) { return Int(min(seconds, UInt64(most))) }
        guard let moment = Timestamp(httpDate: text), let sent = date.flatMap({ Timestamp(httpDate: $0) }) else {
            return nil
        }
        return min(max(0, Int((moment - sent).components.seconds)), most)
    }
}
