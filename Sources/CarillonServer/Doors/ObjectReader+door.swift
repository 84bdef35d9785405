import CarillonCore

extension ObjectReader {
    /// Ends the reading of an object in another service's words.
    ///
    /// A member that the table refuses may be there without a value: clients in some languages write all members that they know.
    ///
    /// - Parameter table: what becomes of the object's members.
    /// - Returns: the names of the members that have no effect, in alphabetical order.
    /// - Throws: ``Problem`` for a member that the table refuses.
    func finish(_ table: [DoorMember]) throws(Problem) -> [String] {
        let present = rest.sorted().filter { !$0.value.isEmptyInTypedClients }.map(\.key)
        for name in present {
            let member = table.first { $0.treatment == .refused && $0.covers(name) }
            if let member { throw .invalid(pointer(to: name), "cannot be done here: \(member.note)") }
        }
        return present
    }

    /// Reads a text; returns `nil` also for an empty one, which other services treat like an absent one.
    mutating func takeText(_ key: String) throws(Problem) -> String? {
        guard let text = try takeString(key), !text.isEmpty else { return nil }
        return text
    }

    /// Reads a whole number of any size and sign; returns `nil` if the member is absent.
    mutating func takeInteger(_ key: String) throws(Problem) -> Int? {
        guard let value = take(key) else { return nil }
        guard let number = value.intValue else {
            throw .invalid(pointer(to: key), "must be a whole number, not \(value.kind)")
        }
        return number
    }

    /// Reads a list of texts; returns an empty list if the member is absent or empty.
    mutating func takeTexts(_ key: String) throws(Problem) -> [String] {
        guard let value = take(key) else { return [] }
        let texts = value.arrayValue?.map(\.stringValue)
        guard let texts, !texts.contains(nil) else {
            throw .invalid(pointer(to: key), "must be an array of strings, not \(value.kind)")
        }
        return texts.compactMap(\.self)
    }
}

extension JSONValue {
    /// Whether a client with fixed types writes this value for a member that nobody has set.
    fileprivate var isEmptyInTypedClients: Bool {
        switch self {
        case .null, .bool(false): true
        case .string(let text): text.isEmpty
        case .array(let values): values.isEmpty
        case .object(let members): members.keys.isEmpty
        default: intValue == 0
        }
    }
}
