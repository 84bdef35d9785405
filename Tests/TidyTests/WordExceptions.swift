/// The comments and pages that may break the rules for words.
enum WordExceptions {
    /// A fault that stays.
    struct Excuse {
        let path: String
        /// A part of the paragraph with the fault.
        let text: String
        let reason: String

        func covers(_ finding: WordRules.Finding) -> Bool { finding.path == path && finding.text.contains(text) }
    }

    /// The faults that stay, each with the reason why no other words will do.
    static let excused: [Excuse] = []
}
