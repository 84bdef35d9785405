import CarillonCore

/// The answer of `GET /v1/notifications`: a page of an app's messages, the newest first.
package struct MessageList: Sendable, Hashable, Codable {
    package var notifications: [Entry]
    /// The value of `?after=` for the next page; absent on the last page.
    ///
    /// A page with `next` may have fewer messages than the limit, and even none.
    package var next: String?

    package init(notifications: [Entry], next: String? = nil) {
        self.notifications = notifications
        self.next = next
    }

    /// One message: its report, and a title.
    package struct Entry: Sendable, Hashable, Codable {
        package var report: NotificationReport
        /// The title of the message's alert, or its body if it has no title; absent for a message without text.
        ///
        /// The text is that of the payload itself, with the names of the variables and not with a recipient's values.
        package var title: String?

        package init(report: NotificationReport, title: String?) {
            self.report = report
            self.title = title
        }

        private enum CodingKeys: String, CodingKey {
            case title
        }

        package init(from decoder: any Decoder) throws {
            report = try NotificationReport(from: decoder)
            title = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .title)
        }

        package func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(title, forKey: .title)
        }
    }
}
