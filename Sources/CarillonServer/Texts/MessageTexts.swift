/// The texts of a message in other languages, in addition to the payload's own texts.
///
/// The stored JSON contains the names of the stored properties, so these names must never change.
package struct MessageTexts: Sendable, Hashable, Codable {
    /// The texts by language.
    ///
    /// The keys are in the spelling of ``LanguageTag/description``.
    package var localized: [String: LocalizedText] = [:]
    /// Whether all texts, including the payload's texts, are templates (``TextTemplate``) for recipients' variables.
    package var haveVariables = false

    var isEmpty: Bool { localized.isEmpty && !haveVariables }

    /// Returns the language in which a device gets the message; `nil` stands for the payload's own texts.
    func language(for locale: String?) -> String? {
        guard !localized.isEmpty, let locale, let tag = LanguageTag(ofDevice: locale) else { return nil }
        return tag.fallbacks.lazy.map(\.description).first { localized[$0] != nil }
    }
}
