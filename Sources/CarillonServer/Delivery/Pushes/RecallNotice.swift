/// What a person sees, by its title, its body or both, in the place of a recalled message, where nothing of the app could remove it.
package struct RecallNotice: Sendable, Hashable, Codable {
    /// At most ``ServiceLimits/noticeTitleBytes``; `nil` for none.
    package var title: String?
    /// At most ``ServiceLimits/noticeBodyBytes``; `nil` for none.
    package var body: String?

    package init(title: String?, body: String?) {
        self.title = title
        self.body = body
    }
}
