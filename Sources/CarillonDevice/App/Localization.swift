import CarillonCore

/// An app's localized strings, with a method that fills in arguments.
struct Localization {
    let strings: [String: String]

    /// Returns the text for a key with its arguments filled in; `nil` if there is no such key.
    ///
    /// Arguments replace `%@`, `%1$@`, `%d` and `%ld`; `%%` becomes a percent sign.
    func text(for key: String, arguments: [String]) -> String? {
        strings[key].map { Self.fill($0, arguments) }
    }

    /// Returns the title, subtitle and body of an alert: for each, the localized text, else the literal text, else the key.
    func resolve(_ alert: Alert) -> (title: String, subtitle: String, body: String) {
        guard case .parts(let parts) = alert else { return ("", "", alert.body ?? "") }
        return (
            resolve(parts.title, parts.titleLocKey, parts.titleLocArgs),
            resolve(parts.subtitle, parts.subtitleLocKey, parts.subtitleLocArgs),
            resolve(parts.body, parts.locKey, parts.locArgs)
        )
    }

    private func resolve(_ plain: String?, _ key: String?, _ arguments: [String]?) -> String {
        guard let key else { return plain ?? "" }
        return text(for: key, arguments: arguments ?? []) ?? plain ?? key
    }

    private static func fill(_ format: String, _ arguments: [String]) -> String {
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
            if arguments.indices.contains(place) { result += arguments[place] }
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
    /// For a key without a text in `language`, the result contains the text in the source language, or else the key itself.
    func texts(in language: String) -> [String: String] {
        strings.reduce(into: [:]) { texts, entry in
            let all = entry.value.localizations
            texts[entry.key] = (all?[language] ?? all?[sourceLanguage])?.stringUnit?.value ?? entry.key
        }
    }
}
