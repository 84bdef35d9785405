extension String {
    /// Returns the most similar word, at most two edits away; `nil` if no word is that similar.
    package func nearest(in words: [String]) -> String? {
        words.map { (word: $0, distance: distance(to: $0)) }.min { $0.distance < $1.distance }
            .flatMap { $0.distance <= 2 ? $0.word : nil }
    }

    /// Returns the number of letters to insert, delete or change to get the other word (Levenshtein distance).
    ///
    /// For words whose lengths differ by 9 or more, the function returns 9.
    private func distance(to other: String) -> Int {
        let (left, right) = (Array(utf8.prefix(DeliveryLimits.quotedKeyCharacters)), Array(other.utf8))
        guard abs(left.count - right.count) < 9 else { return 9 }
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let change = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = Swift.min(change, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
