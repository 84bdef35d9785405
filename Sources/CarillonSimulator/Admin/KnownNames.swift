import CarillonCore

/// Refuses names that a request to the admin port may not have.
///
/// A misspelled name would otherwise be ignored without a word, and the call would do something else than its caller meant.
enum KnownNames {
    /// Checks the names in a request.
    ///
    /// - Parameters:
    ///   - names: the names in the request.
    ///   - known: the names that it may have.
    ///   - place: the part of the request, for the error, such as `the body`.
    /// - Throws: ``AdminProblem`` 400 that quotes the first unknown name and lists the known ones.
    static func check(
        _ names: some Sequence<String>, _ known: [String], in place: String
    ) throws(AdminProblem) {
        guard let name = names.sorted().first(where: { !known.contains($0) }) else { return }
        let quoted = String(name.prefix(SimulatorLimits.quotedNameCharacters))
        guard !known.isEmpty else { throw AdminProblem(400, "\(quoted) is not known here; \(place) has no names") }
        let hint = quoted.nearest(in: known).map { "did you mean \($0)? " } ?? ""
        throw AdminProblem(
            400, "\(quoted) is not known in \(place); \(hint)Known are \(known.joined(separator: ", "))")
    }
}

extension JSONValue {
    /// Checks the members of a dictionary; other values have none.
    ///
    /// - Throws: ``AdminProblem`` 400 for a member that is not known.
    func checkMembers(_ known: String..., in place: String) throws(AdminProblem) {
        try KnownNames.check(objectValue.map { Array($0.keys) } ?? [], known, in: place)
    }
}
