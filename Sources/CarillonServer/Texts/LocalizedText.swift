import CarillonCore

/// The texts of a notification in one language.
///
/// For a text that is `nil`, the notification shows the text of the message's payload.
package struct LocalizedText: Sendable, Hashable, Codable {
    package var title: String?
    package var subtitle: String?
    package var body: String?

    package init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// The texts that are not `nil`, each with the name of its JSON member.
    var members: [(name: String, text: String)] {
        [("title", title), ("subtitle", subtitle), ("body", body)].compactMap { name, text in text.map { (name, $0) } }
    }
}

extension Alert {
    /// The title, subtitle and body that the alert itself contains, without texts that it names by localisation keys.
    var texts: LocalizedText { LocalizedText(title: title, subtitle: subtitle, body: body) }

    /// Returns a copy of the alert in which the texts of `texts` replace the alert's own.
    ///
    /// A new title, subtitle or body takes the place of the old text, and also of its localisation key and arguments.
    /// If a text in `texts` is `nil`, the alert keeps its own.
    func with(_ texts: LocalizedText) -> Alert {
        if case .text(let body) = self, texts.title == nil, texts.subtitle == nil { return .text(texts.body ?? body) }
        var parts: Parts
        switch self {
        case .text(let body): parts = Parts(body: body)
        case .parts(let known): parts = known
        }
        if let title = texts.title { (parts.title, parts.titleLocKey, parts.titleLocArgs) = (title, nil, nil) }
        if let subtitle = texts.subtitle {
            (parts.subtitle, parts.subtitleLocKey, parts.subtitleLocArgs) = (subtitle, nil, nil)
        }
        if let body = texts.body { (parts.body, parts.locKey, parts.locArgs) = (body, nil, nil) }
        return .parts(parts)
    }
}
