/// Resolves the beginning of a name or an id, as typed by a person.
package enum Shorthand {
    /// Returns the name or id that was meant, or all that may be meant.
    ///
    /// Apostrophes may be straight, and a shortened id may end with its ellipsis.
    ///
    /// - Parameters:
    ///   - typed: the whole name or its beginning. An empty text has no meaning.
    ///   - known: all names and ids.
    /// - Returns: the name or id that equals `typed`; otherwise all distinct ones that begin with it, in their order.
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
