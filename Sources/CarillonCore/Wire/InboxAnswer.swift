/// The answer of `GET /v1/devices/{id}/inbox`: the user's messages, newest first, without those recalled or expired.
package struct InboxAnswer: Sendable, Hashable, Codable {
    /// One page of them.
    package var messages: [InboxMessage]
    /// The user's unread messages, on all pages.
    package var unread: Int
    /// Pass it as `?before=` for the next page; absent on the last one.
    package var next: Int64?

    /// A page.
    package init(messages: [InboxMessage], unread: Int, next: Int64?) {
        self.messages = messages
        self.unread = unread
        self.next = next
    }
}
