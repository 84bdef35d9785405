/// A snapshot of ``StoreContents`` and the journal that continues it: two files with one name.
///
/// A snapshot is written once and never changed, a journal only grows. So what was read of them need not be read again, and
/// no reader needs a lock. The generation before the newest is kept: for a reader that has just found it, and for the case
/// that the newest snapshot is damaged.
package struct StoreGeneration: Sendable, Hashable, Comparable {
    /// 1 for an installation's first one.
    package let number: Int
    /// The name of both files, without ending.
    let name: String

    package var snapshot: String { name + ".json" }
    package var journal: String { name + ".journal" }

    /// - Parameters:
    ///   - number: one more than that of the newest.
    ///   - mark: random, so that no two installations have files of one name, also one after the other.
    package init(number: Int, mark: String) {
        self.number = number
        name = "state-\(number)-\(mark)"
    }

    private init(number: Int, name: String) {
        self.number = number
        self.name = name
    }

    /// - Parameter file: the name of any file; `nil` if it is neither a snapshot nor a journal.
    package init?(file: String) {
        guard let name = [".json", ".journal"].first(where: file.hasSuffix).map({ String(file.dropLast($0.count)) })
        else { return nil }
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "state", let number = Int(parts[1]), number > 0 else { return nil }
        self.init(number: number, name: name)
    }

    package static func < (one: Self, other: Self) -> Bool { (one.number, one.name) < (other.number, other.name) }
}
