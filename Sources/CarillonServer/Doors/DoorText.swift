import CarillonCore

/// Texts of another service's call as a message of Carillon has them.
enum DoorText {
    /// Returns a text that shows as it is, also with two braces in it, which begin a variable in Carillon.
    static func literal(_ text: String) -> String { text.replacing("{{", with: #"\{{"#) }
}

/// The message's id for an id in another service's words.
enum DoorIdentifier {
    /// Returns the id as it is where a message can have it, else a hash of it.
    static func message(_ text: String) -> String {
        if (try? MessageID(text)) != nil { return text }
        return "door-" + SecretHash.of(text).prefix(ServiceLimits.doorIdentifierBytes).hexadecimal
    }
}
