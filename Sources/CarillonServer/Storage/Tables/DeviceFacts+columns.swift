import CarillonCore
import Foundation

/// Converts the facts that an app reports about its device to and from columns of the table `devices`.
extension DeviceFacts {
    static let columns = ["permission", "locale", "time_zone", "app_version", "tags"]

    /// Returns the values of ``columns``, in their order.
    func columnValues() throws -> SQLArguments {
        [
            permission.rawValue, locale, timeZone, appVersion,
            String(decoding: try CarillonJSON.encode(tags ?? []), as: UTF8.self),
        ]
    }

    init(_ row: SQLRow) throws {
        self.init(
            permission: try row.choice("permission"), locale: row["locale"], timeZone: row["time_zone"],
            appVersion: row["app_version"], tags: try row.json("tags") ?? [])
    }
}
