import CarillonCore
import Foundation

extension MessageRequest {
    /// A text of a message, and its JSON pointer in the body.
    private struct PlacedText {
        var text: String
        var pointer: String
    }

    /// Reads the member `localized` of a request and returns its texts by language.
    ///
    /// - Parameters:
    ///   - body: the body of the request.
    ///   - payload: the payload whose texts are replaced in these languages.
    /// - Returns: the texts, by ``LanguageTag/description``.
    /// - Throws: ``Problem`` if a member's name is no language, or if the payload has no alert whose texts could be replaced.
    static func localized(
        _ body: inout ObjectReader, over payload: Payload
    ) throws(Problem) -> [String: LocalizedText] {
        guard let json = body.take("localized") else { return [:] }
        let reader = try ObjectReader(json, pointer: "/localized")
        guard payload.aps.alert != nil else {
            throw .invalid("/localized", "stands in for no text: give the payload an alert, for all other languages")
        }
        guard (1...ServiceLimits.localesPerMessage).contains(reader.rest.count) else {
            throw .invalid(
                "/localized", "has \(reader.rest.count) languages; it takes 1 to \(ServiceLimits.localesPerMessage)")
        }
        var localized: [String: LocalizedText] = [:]
        for (name, json) in reader.rest.sorted() {
            let pointer = reader.pointer(to: String(name.prefix(DeliveryLimits.quotedKeyCharacters)))
            let tag: LanguageTag
            do { tag = try LanguageTag(name) } catch { throw .invalid(pointer, error.description) }
            guard localized[tag.description] == nil else {
                throw .invalid(pointer, "is the language \(tag) again, in another spelling; name each once")
            }
            localized[tag.description] = try text(json, pointer)
        }
        return localized
    }

    private static func text(_ json: JSONValue, _ pointer: String) throws(Problem) -> LocalizedText {
        var reader = try ObjectReader(json, pointer: pointer)
        let text = LocalizedText(
            title: try reader.takeString("title"), subtitle: try reader.takeString("subtitle"),
            body: try reader.takeString("body"))
        try reader.finish()
        guard text != LocalizedText() else {
            throw .invalid(pointer, "says nothing: give it a title, a subtitle or a body")
        }
        return text
    }

    /// Checks the variables in a message's texts, and returns the texts to store.
    ///
    /// If the request gives values to its recipients (`variables`), each recipient must have one for every variable. If it gives
    /// none, no text may contain a variable; the function then removes the backslashes that escape braces, in `payload` and in
    /// the returned texts.
    ///
    /// - Parameters:
    ///   - payload: the payload. If `variables` is `nil`, the function removes escaping backslashes from the payload's texts.
    ///   - localized: the texts by language.
    ///   - variables: the values of each user; `nil` if the request gives none.
    /// - Returns: the texts to store.
    /// - Throws: ``Problem`` for braces that are no variable, and for a missing value.
    static func texts(
        _ payload: inout Payload, _ localized: [String: LocalizedText], _ variables: RecipientVariables?
    ) throws(Problem) -> MessageTexts {
        var needed: [(name: String, pointer: String)] = []
        for placed in texts(of: payload, localized) {
            do {
                needed += try TextTemplate(placed.text).needed.map { ($0, placed.pointer) }
            } catch {
                throw .invalid(placed.pointer, error.description)
            }
        }
        if let variables {
            try variables.check(needed)
            return MessageTexts(localized: localized, haveVariables: true)
        }
        if let (name, pointer) = needed.first {
            throw .invalid(
                pointer,
                #"has the variable {{\#(name)}}, for which nobody has a value: give each in "to", as {"users": {"u-42": {"\#(name)": "…"}}}, or write \{{ for two braces as they are"#
            )
        }
        if let alert = payload.aps.alert,
            alert.texts.members.contains(where: { $0.text.utf8.contains(UInt8(ascii: "{")) })
        {
            payload.aps.alert = alert.with(alert.texts.filled(with: [:]))
        }
        return MessageTexts(localized: localized.mapValues { $0.filled(with: [:]) })
    }

    private static func texts(of payload: Payload, _ localized: [String: LocalizedText]) -> [PlacedText] {
        var placed: [PlacedText] = []
        switch payload.aps.alert {
        case .text(let text): placed = [PlacedText(text: text, pointer: "/payload/aps/alert")]
        case .parts(let parts):
            placed = Alert.parts(parts).texts.members.map {
                PlacedText(text: $0.text, pointer: "/payload/aps/alert/\($0.name)")
            }
        case nil: break
        }
        for (language, text) in localized.sorted(by: { $0.key < $1.key }) {
            placed += text.members.map { PlacedText(text: $0.text, pointer: "/localized/\(language)/\($0.name)") }
        }
        return placed
    }
}
