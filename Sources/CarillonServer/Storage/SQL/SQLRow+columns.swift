import CarillonCore
import Foundation

extension SQLRow {
    /// Returns the error that a column of this row cannot be decoded, because the database is damaged or has a newer schema.
    ///
    /// The error identifies the row by one of the columns `number`, `id`, `device` and `message`: the first of them that the row
    /// has.
    func unreadable(_ column: String) -> ServiceError {
        let key = ["number", "id", "device", "message"].first { $0 != column && text(describing: $0) != nil }
        let row = key.flatMap { key in text(describing: key).map { " of the row whose \(key) is \($0)" } }
        return ServiceError(.storage, "the database holds something unreadable in column \(column)\(row ?? "")")
    }

    private func text(describing column: String) -> String? {
        let number: Int64? = self[column]
        return number.map(String.init) ?? text(column)
    }

    /// Returns the text in a column; `nil` for NULL or another type.
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

    /// Returns the app whose number and topic are in the columns with these names.
    func app(_ number: String, _ topic: String) throws -> AppReference {
        AppReference(number: AppNumber(rawValue: try self[number]), topic: try self[topic])
    }

    /// Returns the user who is signed in on a device, from the columns `app` and `user`; `nil` for none.
    func user() throws -> UserReference? {
        guard let app: Int64 = self["app"] else { throw unreadable("app") }
        return text("user").map { UserReference($0, of: AppNumber(rawValue: app)) }
    }

    /// Decodes the JSON in a column that stores it as a text or as bytes; `nil` if the column is NULL.
    func json<Value: Decodable>(_ column: String) throws -> Value? {
        guard let data = text(column).map({ Data($0.utf8) }) ?? self[column] else { return nil }
        guard let value = try? CarillonJSON.decode(Value.self, from: data) else { throw unreadable(column) }
        return value
    }

    func payload(_ column: String) throws -> Payload {
        guard let data: Data = self[column], let json = try? JSONValue(parsing: data),
            let payload = try? Payload(json: json)
        else { throw unreadable(column) }
        return payload
    }

    func event(about message: MessageID) throws -> TimelineEvent {
        let purpose: String? = self["purpose"]
        return TimelineEvent(
            message: message, device: try self["device"], event: try choice("event"),
            at: try requiredTimestamp("at"), purpose: purpose.flatMap(PushPurpose.init(rawValue:)),
            revision: try self["revision"], attempt: self["attempt"], reason: self["reason"], status: self["status"],
            apnsID: self["apns_id"], detail: self["detail"], reply: self["reply"])
    }
}
