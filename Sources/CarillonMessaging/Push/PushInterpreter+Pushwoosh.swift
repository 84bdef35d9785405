import CarillonCore

extension PushInterpreter {
    /// Reads `{"crt": 1, "title": "hello there"}` and `{"dlt": 1}`; `nil` when there is neither.
    ///
    /// Pushwoosh's article on deletable pushes reads the ids `as? String`, which a number, as in its own example, is
    /// not: both are accepted here. The keys may stand at the top level or, as Pushwoosh sends custom data, in a JSON
    /// text under `u`.
    func pushwoosh(_ payload: [String: JSONValue]) -> PushInstructions? {
        let data = pushwooshCustomData(payload)
        let creation = data["crt"].flatMap(Self.plainText)
        let deletion = data["dlt"].flatMap(Self.plainText)
        guard creation != nil || deletion != nil else { return nil }
        var instructions = PushInstructions(dialect: .pushwoosh)
        instructions.removals =
            deletion.map { [PushRemoval(identifier: MessageDialect.pushwooshIdentifierPrefix + $0)] } ?? []
        if let creation {
            let identifier = MessageDialect.pushwooshIdentifierPrefix + creation
            let presentation = pushwooshPresentation(identifier, data: data, payload: payload)
            instructions.message = PushMessage(identifier: identifier, presentation: presentation)
            if presentation == .nothing { instructions.problem = "crt has no title to show" }
        }
        return instructions
    }

    private func pushwooshPresentation(
        _ identifier: String, data: [String: JSONValue], payload: [String: JSONValue]
    ) -> PushMessage.Presentation {
        if isAlert(payload) { return .bySystem }
        guard let title = data["title"].flatMap(Self.plainText), !title.isEmpty else { return .nothing }
        let alert = Alert.Parts(
            title: title, subtitle: data["subtitle"].flatMap(Self.plainText), body: data["body"].flatMap(Self.plainText)
        )
        return .local(LocalNotification(identifier: identifier, aps: Aps(alert: .parts(alert)), userInfo: payload))
    }

    private func pushwooshCustomData(_ payload: [String: JSONValue]) -> [String: JSONValue] {
        let nested: [String: JSONValue]? =
            switch payload["u"] {
            case .string(let text)?: (try? JSONValue(parsing: text))?.objectValue
            case .object(let members)?: members
            default: nil
            }
        return payload.merging(nested ?? [:]) { _, inner in inner }
    }

    /// A text that is not empty, or a number in decimal notation without a superfluous fraction.
    static func plainText(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .int(let number): String(number)
        case .double(let number): value.intValue.map(String.init) ?? String(number)
        default: nil
        }
    }
}
