/// What a message says beside its payload's own texts.
///
/// The names of the stored properties are kept in the database: they must never change.
package struct MessageTexts: Sendable, Hashable, Codable {
    /// By language, as ``LanguageTag/description`` writes it.
    package var localized: [String: LocalizedText] = [:]
    /// Whether the texts, those of the payload too, are a ``TextTemplate`` each, to be filled with a recipient's values.
    package var haveVariables = false

    var isEmpty: Bool { localized.isEmpty && !haveVariables }

    /// The language in which a device gets the message; `nil` for the payload's own texts.
    func language(for locale: String?) -> String? {
        guard !localized.isEmpty, let locale, let tag = LanguageTag(ofDevice: locale) else { return nil }
        return tag.fallbacks.lazy.map(\.description).first { localized[$0] != nil }
    }
}
