/// Finds the names and ids that a person may mean by a typed name, id, or beginning of a name or id.
package enum Shorthand {
    /// Returns the names and ids that a typed text may mean.
    ///
    /// A straight apostrophe in the typed text matches a curly apostrophe in a name. Both `abc` and `abc…` mean the names and ids
    /// that begin with `abc`; `…xyz` means the names and ids that end with `xyz`.
    ///
    /// - Parameters:
    ///   - typed: a name or an id, complete or shortened. An empty text matches nothing.
    ///   - known: all names and ids.
    /// - Returns: only the name or id that equals `typed`, if there is one. Otherwise all distinct names and ids that the text
    ///   may mean, in the order of `known`.
    package static func meanings(of typed: String, among known: [String]) -> [String] {
        let wanted = plain(typed)
        guard !wanted.isEmpty else { return [] }
        var seen: Set<String> = []
        let distinct = known.filter { seen.insert($0).inserted }
        if let same = distinct.first(where: { $0 == typed || plain($0) == wanted }) { return [same] }
        for ellipsis in ["…", "..."] where wanted.hasPrefix(ellipsis) {
            let end = wanted.dropFirst(ellipsis.count)
            return end.isEmpty ? [] : distinct.filter { plain($0).hasSuffix(end) }
        }
        return distinct.filter { plain($0).hasPrefix(wanted) }
    }

    private static func plain(_ text: String) -> String {
        var plain = text.replacing("’", with: "'").replacing("‘", with: "'")
        for ellipsis in ["…", "..."] where plain.hasSuffix(ellipsis) { plain.removeLast(ellipsis.count) }
        return plain
    }
}
