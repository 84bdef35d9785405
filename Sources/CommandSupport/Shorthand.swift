/// Resolves the typed beginning of a name or an id.
package enum Shorthand {
    /// The one that is meant, or all that may be.
    ///
    /// Apostrophes may be typed as they are on a keyboard, and the ellipsis after a shortened id may stay.
    ///
    /// - Parameters:
    ///   - typed: the whole or the beginning; an empty text means nothing.
    ///   - known: what there is.
    /// - Returns: the one that equals `typed`, else those that begin with it, each once, in their order.
    package static func meanings(of typed: String, among known: [String]) -> [String] {
        let wanted = plain(typed)
        guard !wanted.isEmpty else { return [] }
        var seen: Set<String> = []
        let distinct = known.filter { seen.insert($0).inserted }
        if let same = distinct.first(where: { $0 == typed || plain($0) == wanted }) { return [same] }
        return distinct.filter { plain($0).hasPrefix(wanted) }
    }

    private static func plain(_ text: String) -> String {
        var plain = text.replacing("’", with: "'").replacing("‘", with: "'")
        for ellipsis in ["…", "..."] where plain.hasSuffix(ellipsis) { plain.removeLast(ellipsis.count) }
        return plain
    }
}
