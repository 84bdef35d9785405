import CarillonCore
import Foundation

/// The values of a message's variables, for each named recipient.
struct RecipientVariables {
    /// The values, by user and then by variable.
    let values: [ExactText: [String: String]]

    /// Parses an object that has the values of variables for each user.
    ///
    /// - Throws: ``Problem`` at the first invalid value.
    init(_ json: JSONObject, pointer: String) throws(Problem) {
        var values: [ExactText: [String: String]] = [:]
        for (user, json) in json.sorted() {
            guard UserID.isValid(user) else { throw .invalid(pointer, UserID.rule) }
            let reader = try ObjectReader(json, pointer: "\(pointer)/\(ObjectReader.escaped(user))")
            guard reader.rest.count <= ServiceLimits.variablesPerUser else {
                throw .invalid(
                    reader.pointer(to: ""),
                    "has \(reader.rest.count) values; it takes at most \(ServiceLimits.variablesPerUser)")
            }
            values[ExactText(user)] = try Self.values(reader)
        }
        self.values = values
    }

    /// Reads the values of an object, by variable.
    static func values(_ reader: ObjectReader) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in reader.rest.sorted() {
            guard TextTemplate.isName(name) else {
                throw .invalid(
                    reader.pointer(to: String(name.prefix(DeliveryLimits.quotedKeyCharacters))),
                    "names no variable: a name has 1 to \(TextTemplate.nameBytes) letters, digits, _, - and ., and begins with a letter or _"
                )
            }
            switch value {
            case .string(let text): values[name] = text
            case .int(let number): values[name] = String(number)
            case .number(let text) where text.utf8.allSatisfy({ ![0x2E, 0x45, 0x65].contains($0) }): values[name] = text
            case .number where value.intValue != nil: values[name] = value.intValue.map(String.init)
            default:
                throw .invalid(
                    reader.pointer(to: name),
                    "must be a text or a whole number, not \(value.kind); write other numbers as texts")
            }
        }
        return values
    }

    /// Checks that every user has a value for every variable.
    ///
    /// - Throws: ``Problem`` that names the first user without a value, and the variable.
    func check(_ needed: [(name: String, pointer: String)]) throws(Problem) {
        for (user, values) in values.sorted(by: { $0.key < $1.key }) {
            guard let missing = needed.first(where: { values[$0.name] == nil }) else { continue }
            let hint = missing.name.nearest(in: values.keys.sorted()).map { "; did you mean \"\($0)\"" } ?? ""
            throw .invalid(
                "/to/users/\(ObjectReader.escaped(user.text))",
                "user \(user) has no value for \"\(missing.name)\", which \(missing.pointer) needs\(hint); nothing was sent to anybody"
            )
        }
    }
}
