import CarillonCore

/// The content of a message for any recipient; each of its variants is made once.
struct MessageContent {
    private let payload: Payload
    let texts: MessageTexts
    private var variants: [String: Payload] = [:]

    /// Creates the content from a message's payload, without Carillon's key, and its texts.
    init(_ payload: Payload, _ texts: MessageTexts) {
        self.payload = payload
        self.texts = texts
    }

    /// Returns the payload in a language of ``MessageTexts/localized``; `nil` is the sender's own.
    mutating func variant(in language: String?) -> Payload {
        guard let language, let texts = texts.localized[language] else { return payload }
        if let known = variants[language] { return known }
        var variant = payload
        variant.aps.alert = variant.aps.alert?.with(texts)
        variants[language] = variant
        return variant
    }

    /// Returns the payload for one recipient.
    ///
    /// - Parameters:
    ///   - language: the language, as for ``variant(in:)``.
    ///   - values: the recipient's values; `nil` if the texts have no variables.
    /// - Returns: the payload with the values in its texts.
    mutating func payload(in language: String?, values: [String: String]?) -> Payload {
        var payload = variant(in: language)
        guard let values, let alert = payload.aps.alert else { return payload }
        payload.aps.alert = alert.with(alert.texts.filled(with: values))
        return payload
    }

    /// Returns the user whose values make the longest texts.
    mutating func longest(in language: String?, _ values: [String: [String: String]]) -> String? {
        guard let texts = variant(in: language).aps.alert?.texts else { return values.keys.min() }
        let templates = texts.members.compactMap { try? TextTemplate($0.text) }
        return values.map { user, values in
            (user: user, size: templates.reduce(0) { $0 + $1.filled(with: values).jsonSize })
        }.max { ($0.size, $1.user) < ($1.size, $0.user) }?.user
    }
}

extension String {
    /// The number of bytes that the text takes in JSON, without the quotation marks.
    fileprivate var jsonSize: Int {
        utf8.reduce(0) { size, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 8, 9, 10, 12, 13: size + 2
            case ..<32: size + 6
            default: size + 1
            }
        }
    }
}

extension LocalizedText {
    /// Returns the texts with their variables replaced by values.
    ///
    /// A text that is no valid template stays unchanged; the acceptance of a message rules that out.
    func filled(with values: [String: String]) -> LocalizedText {
        func filled(_ text: String?) -> String? {
            text.map { text in (try? TextTemplate(text))?.filled(with: values) ?? text }
        }
        return LocalizedText(title: filled(title), subtitle: filled(subtitle), body: filled(body))
    }
}
