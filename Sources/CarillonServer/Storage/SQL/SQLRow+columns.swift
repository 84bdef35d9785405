import CarillonCore
import Foundation

extension SQLRow {
    /// Returns the error of a column that cannot be decoded, in a damaged database or one with a newer schema.
    func unreadable(_ column: String) -> ServiceError {
        ServiceError(.storage, "the database holds something unreadable in column \(column)")
    }

    /// Returns a text that may be NULL.
    ///
    /// The subscript for a non-optional type stops the process at NULL, so columns that may be NULL are read with this method.
    func text(_ column: String) -> String? { self[column] }

    func messageID(_ column: String) throws -> MessageID {
        guard let text: String = self[column], let id = try? MessageID(text) else { throw unreadable(column) }
        return id
    }

    func timestamp(_ column: String) -> Timestamp? {
        let milliseconds: Int64? = self[column]
        return milliseconds.map(Timestamp.init(millisecondsSince1970:))
    }

    func requiredTimestamp(_ column: String) throws -> Timestamp {
        guard let moment = timestamp(column) else { throw unreadable(column) }
        return moment
    }

    func choice<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice {
        guard let text: String = self[column], let choice = Choice(rawValue: text) else { throw unreadable(column) }
        return choice
    }

    /// Returns an app, from the columns with its number and its topic.
    func app(_ number: String, _ topic: String) -> AppReference {
        AppReference(number: AppNumber(rawValue: self[number]), topic: self[topic])
    }

    /// Returns the user that a device is bound to, from the columns `app` and `user`; `nil` for none.
    func user() throws -> UserReference? {
        guard let app: Int64 = self["app"] else { throw unreadable("app") }
        return text("user").map { UserReference($0, of: AppNumber(rawValue: app)) }
    }

    func payload(_ column: String) throws -> Payload {
        guard let data: Data = self[column] else { throw unreadable(column) }
        return try Payload(json: try JSONValue(parsing: data))
    }

    func event(about message: MessageID) throws -> TimelineEvent {
        let purpose: String? = self["purpose"]
        return TimelineEvent(
            message: message, device: self["device"], event: try choice("event"),
            at: try requiredTimestamp("at"), purpose: purpose.flatMap(PushPurpose.init(rawValue:)),
            revision: self["revision"], attempt: self["attempt"], reason: self["reason"], status: self["status"],
            apnsID: self["apns_id"], detail: self["detail"], reply: self["reply"])
    }
}
