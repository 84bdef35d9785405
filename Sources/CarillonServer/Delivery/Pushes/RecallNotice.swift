/// The title and body of a notice, shown in place of a recalled message that no code of the app could remove.
package struct RecallNotice: Sendable, Hashable, Codable {
    /// The title, at most ``DeliveryLimits/noticeTitleBytes``; `nil` for none.
    package var title: String?
    /// The body, at most ``DeliveryLimits/noticeBodyBytes``; `nil` for none.
    package var body: String?

    package init(title: String?, body: String?) {
        self.title = title
        self.body = body
    }
}
