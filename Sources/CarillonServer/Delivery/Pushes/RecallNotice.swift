/// The title and body of the notification that replaces a recalled message if no code of the app could remove the message.
package struct RecallNotice: Sendable, Hashable, Codable {
    /// The title, at most ``DeliveryLimits/noticeTitleBytes`` bytes of UTF-8; `nil` for none.
    package var title: String?
    /// The body, at most ``DeliveryLimits/noticeBodyBytes`` bytes of UTF-8; `nil` for none.
    package var body: String?

    package init(title: String?, body: String?) {
        self.title = title
        self.body = body
    }
}
