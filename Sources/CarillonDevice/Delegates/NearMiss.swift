import Foundation

/// A method of an app's delegate that resembles one of Apple's methods, but that iOS never calls and never reports.
///
/// iOS finds optional methods by their exact names and types. On Apple's platforms the compiler warns about some of these
/// mistakes. On Linux it warns about none of them, because there is no `@objc`.
public struct NearMiss: Sendable, Hashable, Codable {
    /// The class that declares the method, with its module.
    public let type: String
    /// The app's method as its author has written it: `application(_:didReciveRemoteNotification:)`.
    public let method: String
    /// Apple's method that was probably meant.
    public let intended: String
    /// The protocol or class to which Apple's method belongs.
    public let protocolName: String
    /// A sentence that describes the mistake and the remedy.
    public let sentence: String
}

extension NearMiss {
    /// Finds the methods of a class that resemble one of Apple's delegate methods, but that iOS never calls.
    ///
    /// - Parameter chain: the class, followed by its superclasses.
    /// - Returns: a description of each such method.
    static func findings(in chain: [ClassMethods]) -> [NearMiss] {
        let requirements = chain.enumerated().flatMap { depth, type in type.requirements.map { (depth, $0) } }
        var implemented: Set<String> = []
        for (depth, requirement) in requirements {
            // A method of a superclass satisfies the requirement; a method that only a subclass adds does not.
            let seen = chain[depth...].flatMap(\.methods)
            if seen.contains(where: { $0.satisfies(requirement) }) { implemented.insert(Self.key(requirement)) }
        }
        return chain.enumerated().flatMap { depth, type in
            type.methods.compactMap { method in
                finding(method, at: depth, requirements.filter { depth <= $0.0 }, implemented)
            }
        }
    }

    private static func finding(
        _ method: MethodSignature, at depth: Int, _ requirements: [(Int, MethodSignature)], _ implemented: Set<String>
    ) -> NearMiss? {
        guard !calledOnDevicesOnly.contains(method.fullName) else { return nil }
        if let (declared, requirement) = requirements.first(where: { method.satisfies($0.1) }) {
            guard declared > depth, !implemented.contains(key(requirement)) else { return nil }
            return NearMiss(
                method, requirement, ": the conformance is declared in a superclass, which lacks it. Add it there")
        }
        let near = requirements.compactMap { _, requirement in
            nearness(of: method, to: requirement).map { (nearness: $0, requirement: requirement) }
        }
        guard let best = near.min(by: { $0.nearness < $1.nearness })?.requirement,
            !implemented.contains(key(best))
        else { return nil }
        return NearMiss(method, best, difference(method, best))
    }

    /// Returns a key that is equal for the completion-handler form and the async form of a method.
    private static func key(_ requirement: MethodSignature) -> String {
        requirement.owner + requirement.baseName + (requirement.labels.dropFirst().first ?? "")
    }

    // MARK: how near

    /// Compares a method with a requirement.
    ///
    /// - Returns: 0 for an equal name with other types, a higher number for a less similar name; `nil` for an unrelated method.
    private static func nearness(of method: MethodSignature, to requirement: MethodSignature) -> Int? {
        if method.fullName == requirement.fullName { return 0 }
        guard method.types.first == requirement.types.first || method.baseName == requirement.baseName else {
            return nil
        }
        guard let base = distance(method.baseName, requirement.baseName, atMost: max(2, requirement.baseName.count / 8))
        else { return nil }
        let shared = zip(method.labels, requirement.labels).prefix { $0 == $1 }.count
        if base == 0, shared >= 2 || requirement.labels.count <= 1 {
            return 1 + abs(method.labels.count - requirement.labels.count)
        }
        if base == 0, resembles(method, requirement) { return 2 }
        let names = (method.labels.joined(separator: ":"), requirement.labels.joined(separator: ":"))
        return distance(names.0, names.1, atMost: max(2, names.1.count / (base == 0 ? 4 : 6))).map { 1 + base + $0 }
    }

    /// Returns whether a method has the argument labels of an older Swift version or of Objective-C.
    ///
    /// In Swift 2, some methods have a label for the first argument. Objective-C's labels are longer
    /// (`didReceiveNotificationResponse`).
    private static func resembles(_ method: MethodSignature, _ requirement: MethodSignature) -> Bool {
        guard method.labels.count == requirement.labels.count, method.labels.count > 1 else { return false }
        let later = zip(method.labels, requirement.labels).dropFirst()
        if later.allSatisfy({ $0 == $1 }) { return true }
        return method.types == requirement.types && later.allSatisfy { $0.hasPrefix($1) || $1.hasPrefix($0) }
    }

    /// Returns the edit distance of two names: the number of letters to change, add or remove; `nil` beyond `limit`.
    ///
    /// Upper and lower case count as equal.
    private static func distance(_ one: String, _ other: String, atMost limit: Int) -> Int? {
        let (one, other) = (Array(one.lowercased().utf8), Array(other.lowercased().utf8))
        guard abs(one.count - other.count) <= limit else { return nil }
        var row = Array(0...other.count)
        for (place, letter) in one.enumerated() {
            var corner = row[0]
            row[0] = place + 1
            for column in other.indices {
                let cost = corner + (letter == other[column] ? 0 : 1)
                corner = row[column + 1]
                row[column + 1] = min(cost, corner + 1, row[column] + 1)
            }
        }
        return row[other.count] <= limit ? row[other.count] : nil
    }

    // MARK: sentences

    private static func difference(_ method: MethodSignature, _ requirement: MethodSignature) -> String {
        guard method.fullName == requirement.fullName else { return "" }
        if method.isPrivate { return ": it is private, and must be as visible as its class" }
        if method.isStatic != requirement.isStatic { return ": it belongs to the class, and must be one of the object" }
        if method.isThrowing, !requirement.isThrowing { return ": it throws, and must not" }
        if method.isAsync != requirement.isAsync {
            return requirement.isAsync ? ": it must be async" : ": it is async, and must not be"
        }
        for (label, types) in zip(requirement.labels, zip(method.types, requirement.types)) where types.0 != types.1 {
            return ": its argument \(label) is \(types.0.short), and must be \(types.1.short)"
        }
        return ": it returns \(method.result.short), and must return \(requirement.result.short)"
    }

    private init(_ method: MethodSignature, _ requirement: MethodSignature, _ difference: String) {
        type = method.owner
        self.method = method.fullName
        intended = requirement.fullName
        protocolName = requirement.owner.short
        let place =
            "\(method.owner.short).\(method.fullName) looks like a method of \(protocolName), but iOS will never "
            + "call it"
        sentence =
            difference.isEmpty
            ? "\(place): did you mean \(requirement.fullName)\(requirement.isAsync ? " async" : "")?"
            : "\(place)\(difference)."
    }

    /// The methods that iOS calls but this phone does not; the inspection does not report them as mistakes.
    private static let calledOnDevicesOnly: Set<String> = [
        "application(_:handlerFor:)",
        "application(_:userDidAcceptCloudKitShareWith:)", "application(_:shouldAllowExtensionPointIdentifier:)",
        "application(_:viewControllerWithRestorationIdentifierPath:coder:)",
        "application(_:shouldSaveSecureApplicationState:)", "application(_:shouldRestoreSecureApplicationState:)",
        "applicationShouldRequestHealthAuthorization(_:)", "scene(_:restoreInteractionStateWith:)",
        "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)",
        "windowScene(_:userDidAcceptCloudKitShareWith:)",
    ]
}

extension String {
    /// The type's name as in source code: without modules, and with Swift's short forms for dictionaries and optionals.
    fileprivate var short: String {
        var text = self
        for module in ["Swift.", "UIKit.", "UserNotifications.", "FoundationEssentials.", "Foundation."] {
            text = text.replacingOccurrences(of: module, with: "")
        }
        return text.sugared
    }

    /// The type's name in Swift's short form: `[A : B]` for `Dictionary<A, B>`, and `A?` for `Optional<A>`.
    private var sugared: String {
        func inside(_ name: String) -> String? {
            hasPrefix(name + "<") && hasSuffix(">") ? String(dropFirst(name.count + 1).dropLast()) : nil
        }
        if let wrapped = inside("Optional") { return wrapped.sugared + "?" }
        return inside("Dictionary").map { "[" + $0.replacingOccurrences(of: ", ", with: " : ") + "]" } ?? self
    }
}
