import CarillonCore

/// An app's localized strings, with a method that fills in arguments.
struct Localization {
    let strings: [String: String]

    /// Returns the text for a key with its arguments filled in; `nil` if there is no such key.
    ///
    /// Arguments replace `%@`, `%1$@` and the specifiers of numbers, such as `%lld`; `%%` is a percent sign.
    func text(for key: String, arguments: [String]) -> String? {
        strings[key].map { Self.fill($0, arguments) { _ in true } }
    }

    /// Returns the title, subtitle and body of an alert in the app's language.
    ///
    /// A text with a localization key is looked up in ``strings``. If the app lacks the key, the result contains the alert's
    /// literal text ([as a sender found](https://github.com/jchambers/pushy/issues/799)). Without a literal text, it contains
    /// the key itself.
    ///
    /// iOS fills in only the specifiers `%@` and `%1$@`
    /// ([Apple](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification)). In
    /// place of any other specifier, such as `%s`, it [shows
    /// nothing](https://github.com/EddyVerbruggen/nativescript-localize/issues/20).
    ///
    /// - Returns: the three texts, and a note for each text that contains a specifier other than `%@` and `%1$@`.
    func resolve(_ alert: Alert) -> (title: String, subtitle: String, body: String, notes: [String]) {
        guard case .parts(let parts) = alert else { return ("", "", alert.body ?? "", []) }
        var notes: [String] = []
        return (
            resolve(parts.title, parts.titleLocKey, parts.titleLocArgs, &notes),
            resolve(parts.subtitle, parts.subtitleLocKey, parts.subtitleLocArgs, &notes),
            resolve(parts.body, parts.locKey, parts.locArgs, &notes), notes
        )
    }

    private func resolve(
        _ plain: String?, _ key: String?, _ arguments: [String]?, _ notes: inout [String]
    ) -> String {
        guard let key else { return plain ?? "" }
        guard let format = strings[key] else { return plain ?? key }
        var hasOther = false
        let text = Self.fill(format, arguments ?? []) { specifier in
            hasOther = hasOther || specifier != "@"
            return specifier == "@"
        }
        if hasOther { notes.append("the text of \(key) has a specifier other than %@, which shows nothing") }
        return text
    }

    /// Fills arguments into a text.
    ///
    /// - Parameters:
    ///   - format: the text with specifiers.
    ///   - arguments: the arguments, in order.
    ///   - takes: returns whether a specifier with this last character, such as `@`, is replaced by its argument. Any other
    ///     specifier is removed.
    /// - Returns: the text with the arguments.
    private static func fill(_ format: String, _ arguments: [String], takes: (Character) -> Bool) -> String {
        var result = ""
        var rest = Substring(format)
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix(while: \.isNumber)
            var after = rest.dropFirst(digits.count)
            var place = next
            if !digits.isEmpty, after.first == "$", let number = Int(digits) {
                place = number - 1
                after = after.dropFirst()
            } else {
                next += 1
            }
            let conversion = after.prefix(while: { $0 == "l" })
            after = after.dropFirst(conversion.count)
            rest = after.dropFirst()
            if takes(after.first ?? "%"), arguments.indices.contains(place) { result += arguments[place] }
        }
        return result + rest
    }
}

/// Xcode's string catalogue, `.xcstrings`: the texts of all languages in one file.
struct StringCatalogue: Decodable, Sendable {
    struct Entry: Decodable {
        let localizations: [String: Localization]?
    }

    /// The text of an entry in one language; variations, such as plural forms, are ignored.
    struct Localization: Decodable {
        let stringUnit: Unit?
    }

    struct Unit: Decodable {
        let value: String
    }

    let sourceLanguage: String
    let strings: [String: Entry]

    var languages: Set<String> {
        strings.values.reduce(into: [sourceLanguage]) { $0.formUnion($1.localizations.map { Array($0.keys) } ?? []) }
    }

    /// Returns the texts in a language, by key.
    ///
    /// For a key without a text in `language`, the result contains the text in the source language. If that is missing too,
    /// it contains the key itself.
    func texts(in language: String) -> [String: String] {
        strings.reduce(into: [:]) { texts, entry in
            let all = entry.value.localizations
            texts[entry.key] = (all?[language] ?? all?[sourceLanguage])?.stringUnit?.value ?? entry.key
        }
    }
}
