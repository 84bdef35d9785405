/// The texts of a message beside its payload's own.
///
/// The names of the stored properties are stored in the database: they must never change.
package struct MessageTexts: Sendable, Hashable, Codable {
    /// The texts by language, in the spelling of ``LanguageTag/description``.
    package var localized: [String: LocalizedText] = [:]
    /// Whether all texts, those of the payload included, are templates (``TextTemplate``) to be filled with a recipient's
    /// values.
    package var haveVariables = false

    var isEmpty: Bool { localized.isEmpty && !haveVariables }

    /// Returns the language in which a device gets the message; `nil` for the payload's own texts.
    func language(for locale: String?) -> String? {
        guard !localized.isEmpty, let locale, let tag = LanguageTag(ofDevice: locale) else { return nil }
        return tag.fallbacks.lazy.map(\.description).first { localized[$0] != nil }
    }
}
