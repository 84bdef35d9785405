/// Xcode's string catalogue, `.xcstrings`: the texts of all languages in one file.
struct StringCatalogue: Decodable, Sendable {
    struct Entry: Decodable {
        let localizations: [String: Localization]?
    }

    /// Variations, such as those by number, are left out.
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

    /// Returns the texts in a language by key; a missing text is the source language's, or the key itself.
    func texts(in language: String) -> [String: String] {
        strings.reduce(into: [:]) { texts, entry in
            let all = entry.value.localizations
            texts[entry.key] = (all?[language] ?? all?[sourceLanguage])?.stringUnit?.value ?? entry.key
        }
    }
}
