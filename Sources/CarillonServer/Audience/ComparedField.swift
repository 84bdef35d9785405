/// A property of a device whose values only Swift compares with a condition, because databases have no rules for them.
///
/// The raw value is the column of the table `devices`.
enum ComparedField: String, CaseIterable {
    case locale
    case timeZone = "time_zone"
    case version = "app_version"
}

extension AudienceTest {
    /// The compared property that the test is about; `nil` for a test that the database decides.
    var comparedField: ComparedField? {
        switch self {
        case .locale: .locale
        case .timeZone: .timeZone
        case .version: .version
        case .tag, .environment, .permission, .seen: nil
        }
    }
}

extension AudienceExpression {
    /// The only property that the condition tests, if it is a compared one; `nil` if the condition tests another property too.
    var comparedField: ComparedField? {
        switch self {
        case .all(let parts), .any(let parts):
            guard let field = parts.first?.comparedField else { return nil }
            return parts.allSatisfy { $0.comparedField == field } ? field : nil
        case .not(let part): return part.comparedField
        case .test(let test): return test.comparedField
        }
    }

    /// The condition with an equal meaning in which the parts of an `and` or `or` about one compared property are one part.
    ///
    /// So however many tests of a property stand side by side, they need one comparison.
    var gathered: AudienceExpression {
        switch self {
        case .all(let parts): Self.gathered(parts, AudienceExpression.all)
        case .any(let parts): Self.gathered(parts, AudienceExpression.any)
        case .not(let part): .not(part.gathered)
        case .test: self
        }
    }

    private static func gathered(
        _ parts: [AudienceExpression], _ join: ([AudienceExpression]) -> AudienceExpression
    ) -> AudienceExpression {
        var (others, compared): ([AudienceExpression], [ComparedField: [AudienceExpression]]) = ([], [:])
        for part in parts.map(\.gathered) {
            if let field = part.comparedField {
                compared[field, default: []].append(part)
            } else {
                others.append(part)
            }
        }
        let groups = ComparedField.allCases.compactMap { compared[$0] }.map { $0.count == 1 ? $0[0] : join($0) }
        let all = others + groups
        return all.count == 1 ? all[0] : join(all)
    }

    /// The parts of the condition that each test only one compared property, in a condition that is ``gathered``.
    var comparisons: [AudienceExpression] {
        if comparedField != nil { return [self] }
        switch self {
        case .all(let parts), .any(let parts): return parts.flatMap(\.comparisons)
        case .not(let part): return part.comparisons
        case .test: return []
        }
    }

    /// Whether the condition tests a tag.
    var testsTags: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains(where: \.testsTags)
        case .not(let part): part.testsTags
        case .test(.tag): true
        case .test: false
        }
    }
}
