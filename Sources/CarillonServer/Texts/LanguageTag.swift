import Foundation

/// A language, possibly with script and region, such as `de`, `pt-BR`, `zh-Hant-TW` or `en_GB`.
///
/// Different spellings of one language are equal. Case does not matter, and `_` equals `-`
/// ([RFC 5646, section 2.1](https://www.rfc-editor.org/rfc/rfc5646#section-2.1)). Chinese for Taiwan has the script
/// `Hant` even if the tag does not contain it.
package struct LanguageTag: Sendable, Hashable {
    /// The tag's language, script, region and variants, in lower case.
    private let parts: [String]

    private init(parts: [String]) { self.parts = parts }

    /// Parses a tag that a backend wrote: language, script, region and variants, in this order.
    ///
    /// - Parameter text: the tag, such as `pt-BR`.
    /// - Throws: ``InvalidLanguageTag``, whose description gives an example of a valid tag.
    package init(_ text: String) throws(InvalidLanguageTag) {
        let parts = Self.parts(of: text[...])
        guard let language = parts.first, (2...3).contains(language.utf8.count),
            language.utf8.allSatisfy(\.isSmallLetter)
        else { throw InvalidLanguageTag("begins with no language of two or three letters; write de or pt-BR") }
        var last = Kind.language
        for part in parts.dropFirst() {
            guard let kind = Kind(part) else {
                let shown = part.prefix(DeliveryLimits.quotedKeyCharacters)
                throw InvalidLanguageTag("has \"\(shown)\", which is no script, region or variant; write zh-Hant-TW")
            }
            guard kind > last || (kind == .variant && last == .variant) else {
                throw InvalidLanguageTag(
                    "has its parts in another order than language, script, region; write zh-Hant-TW")
            }
            last = kind
        }
        self.init(parts: Self.canonical(parts))
    }

    /// Parses the language of a device's locale, such as `de_AT` or `en_GB@currency=EUR`; returns `nil` for an empty text.
    ///
    /// - Parameter locale: the locale that the phone reports.
    package init?(ofDevice locale: String) {
        let parts = Self.parts(of: locale.prefix { $0 != "@" && $0 != "." })
        guard let language = parts.first, !language.isEmpty else { return nil }
        self.init(parts: Self.canonical(parts))
    }

    /// The tags to look up for this tag: the tag itself, then the tag with parts removed from its end.
    ///
    /// See [RFC 4647, section 3.4](https://www.rfc-editor.org/rfc/rfc4647#section-3.4).
    package var fallbacks: [LanguageTag] {
        var found: [LanguageTag] = []
        var parts = parts
        while !parts.isEmpty {
            found.append(LanguageTag(parts: parts))
            parts.removeLast()
            // A single letter only introduces the part that was removed, so the letter is removed too.
            if parts.last?.utf8.count == 1 { parts.removeLast() }
        }
        return found
    }

    private static func parts(of text: Substring) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
    }

    /// Replaces outdated language codes, and adds the script that a Chinese region implies.
    private static func canonical(_ parts: [String]) -> [String] {
        var parts = parts
        parts[0] = renamed[parts[0]] ?? parts[0]
        guard parts[0] == "zh", parts.count > 1, let script = chineseScripts[parts[1]] else { return parts }
        parts.insert(script, at: 1)
        return parts
    }

    private static let renamed = ["iw": "he", "in": "id", "ji": "yi", "no": "nb", "tl": "fil"]
    private static let chineseScripts = ["tw": "hant", "hk": "hant", "mo": "hant", "cn": "hans", "sg": "hans"]

    /// A kind of part in a language tag.
    ///
    /// The cases are in the order in which a tag must have its parts.
    private enum Kind: Int, Comparable {
        case language, script, region, variant

        /// Determines the kind of a part after the language; returns `nil` if the part's form fits no kind.
        init?(_ part: String) {
            let bytes = part.utf8
            guard bytes.allSatisfy({ $0.isSmallLetter || $0.isDigit }) else { return nil }
            let hasLettersOnly = bytes.allSatisfy(\.isSmallLetter)
            switch bytes.count {
            case 4 where hasLettersOnly: self = .script
            case 2 where hasLettersOnly: self = .region
            case 3 where bytes.allSatisfy(\.isDigit): self = .region
            case 4 where bytes.first?.isDigit == true, 5...8: self = .variant
            default: return nil
            }
        }

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }
}

extension LanguageTag: CustomStringConvertible {
    /// The tag in its usual spelling, such as `zh-Hant-TW`.
    package var description: String {
        parts.enumerated().map { index, part in
            switch (index, part.utf8.count) {
            case (0, _): part
            case (_, 2): part.uppercased()
            case (_, 4) where part.first?.isLetter == true: part.capitalized
            default: part
            }
        }.joined(separator: "-")
    }
}

extension UInt8 {
    fileprivate var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
