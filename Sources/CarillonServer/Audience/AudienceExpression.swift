import CarillonCore

/// A condition that selects devices by their properties, such as `tag:vip and not locale:de* and seen<30d`.
///
/// ``AudienceParser`` parses a condition. ``description`` is its canonical spelling.
package indirect enum AudienceExpression: Sendable, Hashable {
    case all([AudienceExpression])
    case any([AudienceExpression])
    case not(AudienceExpression)
    case test(AudienceTest)
}

extension AudienceExpression {
    /// Returns whether the condition selects a device.
    ///
    /// - Parameters:
    ///   - device: the device's properties.
    ///   - now: the time from which `seen` counts back.
    /// - Returns: whether the condition selects the device.
    package func includes(_ device: AudienceCandidate, at now: Timestamp) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.includes(device, at: now) }
        case .any(let parts): parts.contains { $0.includes(device, at: now) }
        case .not(let part): !part.includes(device, at: now)
        case .test(let test): test.holds(for: device, at: now)
        }
    }
}

extension AudienceExpression {
    /// Whether every selected device must have a tag that the condition names.
    var isNarrowedByTag: Bool {
        switch self {
        case .all(let parts): parts.contains(where: \.isNarrowedByTag)
        case .any(let parts): parts.allSatisfy(\.isNarrowedByTag)
        case .not: false
        case .test(.tag): true
        case .test: false
        }
    }

    /// The condition in two parts: a device must have at least one of `tags`, and must also meet `rest`.
    ///
    /// The store looks devices up by these tags, and tests `rest` only on the devices found. `rest` is `nil` if every device with
    /// one of the tags meets the condition.
    ///
    /// The whole value is `nil` if a device can meet the condition without any of the tags, or if the condition requires only the
    /// beginning of a tag (`tag:de*`).
    var narrowing: (tags: [String], rest: AudienceExpression?)? {
        switch self {
        case .all(let parts):
            for (index, part) in parts.enumerated() {
                guard let found = part.narrowing else { continue }
                var rest = parts
                rest[index...index] = found.rest.map { [$0] } ?? []
                return (found.tags, rest.count > 1 ? .all(rest) : rest.first)
            }
            return nil
        case .any(let parts):
            let found = parts.compactMap(\.narrowing)
            guard found.count == parts.count else { return nil }
            // If a part asks for more than tags, a device's tags do not show which part selects it.
            return (found.flatMap(\.tags), found.allSatisfy { $0.rest == nil } ? nil : self)
        case .test(.tag(let pattern)): return pattern.isPrefix ? nil : ([pattern.text], nil)
        case .not, .test: return nil
        }
    }
}

extension AudienceExpression: CustomStringConvertible {
    package var description: String {
        switch self {
        case .all(let parts): parts.map { $0.bracketed(inside: .all([])) }.joined(separator: " and ")
        case .any(let parts): parts.map { $0.bracketed(inside: .any([])) }.joined(separator: " or ")
        case .not(let part): "not \(part.bracketed(inside: self))"
        case .test(let test): test.description
        }
    }

    private func bracketed(inside outer: AudienceExpression) -> String {
        switch (self, outer) {
        case (.test, _), (.not, _), (.all, .any): description
        default: "(\(description))"
        }
    }
}
