/// A token of an audience's expression, with the position of its first character, counted from 1.
struct AudienceToken: Hashable {
    enum Kind: Hashable {
        case open
        case close
        /// A sign between a property's name and a value: `:` or a comparison.
        case sign(String)
        /// A name or a value.
        ///
        /// A quoted word is never the keyword `and`, `or` or `not`.
        case word(String, isQuoted: Bool, isPrefix: Bool)
    }

    let kind: Kind
    let position: Int

    /// The token in the form in which error messages quote it.
    var words: String {
        switch kind {
        case .open: "\"(\""
        case .close: "\")\""
        case .sign(let sign): "\"\(sign)\""
        case .word(let word, _, let isPrefix): "\"\(word.prefix(64))\(isPrefix ? "*" : "")\""
        }
    }
}
