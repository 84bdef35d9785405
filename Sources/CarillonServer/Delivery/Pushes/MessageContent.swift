import CarillonCore
import Synchronization

/// The content of one revision of a message, for all recipients.
///
/// For each language, this object makes the message and its encoded pushes only once. It fills in a recipient's values anew for
/// each push and never keeps them.
package final class MessageContent: Sendable {
    /// The message with the texts that the payload itself contains, not with a translation.
    private let original: ClaimedMessage
    let texts: MessageTexts
    private let variants = Mutex<[String: ClaimedMessage]>([:])

    /// Makes the content of a message.
    ///
    /// - Parameters:
    ///   - original: the message with the payload that the backend sent.
    ///   - texts: the message's texts in other languages.
    init(_ original: ClaimedMessage, _ texts: MessageTexts) {
        (self.original, self.texts) = (original, texts)
    }

    /// Returns the message in a language of ``MessageTexts/localized``; `nil` stands for the texts in the payload itself.
    func message(in language: String?) -> ClaimedMessage {
        guard let language, let texts = texts.localized[language] else { return original }
        return variants.withLock { variants in
            if let known = variants[language] { return known }
            var payload = original.payload
            payload.aps.alert = payload.aps.alert?.with(texts)
            let variant = original.with(payload)
            variants[language] = variant
            return variant
        }
    }

    /// Returns the message for one recipient.
    ///
    /// - Parameters:
    ///   - language: a language of ``MessageTexts/localized``; `nil` for the texts in the payload itself.
    ///   - values: the recipient's values; `nil` if the texts have no variables.
    /// - Returns: the message with the values in its texts.
    func message(in language: String?, values: [String: String]?) -> ClaimedMessage {
        let message = message(in: language)
        guard let values, let alert = message.payload.aps.alert else { return message }
        var payload = message.payload
        payload.aps.alert = alert.with(alert.texts.filled(with: values))
        return message.with(payload)
    }

    /// Returns the user whose values make the longest texts; `nil` if no user has values.
    ///
    /// An error message names that user.
    func longest(in language: String?, _ values: [ExactText: [String: String]]) -> ExactText? {
        guard let texts = message(in: language).payload.aps.alert?.texts else { return values.keys.min() }
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
    /// A text that is no valid template stays unchanged; the service accepts no message with such a text.
    func filled(with values: [String: String]) -> LocalizedText {
        func filled(_ text: String?) -> String? {
            text.map { text in (try? TextTemplate(text))?.filled(with: values) ?? text }
        }
        return LocalizedText(title: filled(title), subtitle: filled(subtitle), body: filled(body))
    }
}
