/// Resolves the typed beginning of a name or an id.
package enum Shorthand {
    /// Returns the name or id that was meant, or all candidates.
    ///
    /// Typed apostrophes may be straight, and the ellipsis after a shortened id may stay.
    ///
    /// - Parameters:
    ///   - typed: the whole name or its beginning; an empty text has no candidates.
    ///   - known: all names and ids.
    /// - Returns: the one equal to `typed`, or else all that begin with it, each once, in their order.
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
