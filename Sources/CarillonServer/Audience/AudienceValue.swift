import CarillonCore

/// One parsed condition, such as `tag:vip`, split into its field (`tag`), its comparison sign (`:`) and its value (`vip`).
///
/// ``test()`` makes an ``AudienceTest`` of the condition.
struct AudienceValue {
    let field: AudienceField
    let sign: AudienceToken
    let comparison: String
    let text: String
    let isQuoted: Bool
    let isPrefix: Bool
    let position: Int

    func test() throws(AudienceSyntaxError) -> AudienceTest {
        guard field.isOrdered || comparison == ":" || comparison == "=" else {
            throw AudienceSyntaxError(
                position: sign.position,
                reason: "\(field.rawValue) has no order; write \(field.example), with not before it for the others")
        }
        switch field {
        case .tag: return .tag(try pattern(text))
        case .locale: return .locale(try pattern(AudienceTest.locale(text)))
        case .timeZone: return .timeZone(try pattern(text))
        case .version:
            guard !isPrefix, let version = AppVersion(text) else { throw wrong("is no version") }
            return .version(try order(), version)
        case .environment: return .environment(try name(of: APNsEnvironment.self))
        case .permission: return .permission(try name(of: PermissionState.self))
        case .seen: return .seen(try order(), try age())
        }
    }

    private func pattern(_ text: String) throws(AudienceSyntaxError) -> TextPattern {
        guard !text.isEmpty || isPrefix else { throw wrong("is empty") }
        return TextPattern(text: text, isPrefix: isPrefix)
    }

    private func order() throws(AudienceSyntaxError) -> AudienceTest.Comparison {
        // A colon counts as "equal", except for an age, which is hardly ever exactly equal.
        guard field == .seen, [":", "=", "!="].contains(comparison) else {
            return AudienceTest.Comparison(rawValue: comparison) ?? .equal
        }
        throw AudienceSyntaxError(
            position: sign.position, reason: "seen is compared with < or >: \(field.example) is the last thirty days")
    }

    private func name<Value: RawRepresentable & CaseIterable>(
        of type: Value.Type
    ) throws(AudienceSyntaxError) -> String where Value.RawValue == String {
        let names = type.allCases.map(\.rawValue)
        guard !isPrefix, names.contains(text) else {
            let hint = text.nearest(in: names).map { "did you mean \($0)? " } ?? ""
            throw wrong("is not known here; \(hint)Known are \(names.joined(separator: ", "))")
        }
        return text
    }

    private func age() throws(AudienceSyntaxError) -> AudienceTest.Age {
        guard !isPrefix, let unit = text.last, AudienceTest.Age.units[unit] != nil,
            let count = Int64(text.dropLast()), (0...36_500).contains(count)
        else { throw wrong("is no age; write 90m, 12h, 30d or 4w") }
        return AudienceTest.Age(count: count, unit: unit)
    }

    private func wrong(_ reason: String) -> AudienceSyntaxError {
        AudienceSyntaxError(position: position, reason: "\"\(text.prefix(64))\(isPrefix ? "*" : "")\" \(reason)")
    }
}
