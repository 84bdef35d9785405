extension String {
    /// The number of characters of a word that are compared; no known word is longer.
    private static let comparedCharacters = 64

    /// Returns the most similar word, at most two edits away; `nil` if no word is that similar.
    package func nearest(in words: [String]) -> String? {
        words.map { (word: $0, distance: distance(to: $0)) }.min { $0.distance < $1.distance }
            .flatMap { $0.distance <= 2 ? $0.word : nil }
    }

    /// Returns the number of letters to insert, delete, change, or swap with the next one to get the other word (optimal string
    /// alignment distance).
    ///
    /// For words whose lengths differ by 9 or more, the function returns 9.
    private func distance(to other: String) -> Int {
        let (left, right) = (Array(utf8.prefix(Self.comparedCharacters)), Array(other.utf8))
        guard abs(left.count - right.count) < 9 else { return 9 }
        // The rows of the two letters before, and that of the current letter.
        var (earlier, last, row) = ([Int](), [Int](), Array(0...right.count))
        for (i, a) in left.enumerated() {
            (earlier, last) = (last, row)
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                row[j + 1] = Swift.min(last[j] + (a == b ? 0 : 1), row[j] + 1, last[j + 1] + 1)
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b {
                    row[j + 1] = Swift.min(row[j + 1], earlier[j - 1] + 1)
                }
            }
        }
        return row[right.count]
    }
}
