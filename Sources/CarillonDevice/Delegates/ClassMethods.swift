import Foundation

extension NearMiss {
    /// The methods that a delegate's class or one of its superclasses declares itself, and Apple's methods with which to
    /// compare them.
    struct ClassMethods: Sendable {
        let name: String
        let methods: [MethodSignature]
        /// Apple's methods for the comparison: those of the protocols that this class itself adopts, and of the Apple class
        /// that it subclasses.
        let requirements: [MethodSignature]
    }
}

extension NearMiss.ClassMethods {
    /// Finds the methods of a class among the symbols of the program.
    ///
    /// - Parameters:
    ///   - name: the class's name, with its module.
    ///   - symbols: the mangled symbols that begin with the class's name.
    init(name: String, symbols: [String]) {
        self.name = name
        methods = symbols.filter { $0.hasSuffix("F") || $0.hasSuffix("FZ") }.compactMap { symbol in
            Demangling.text(of: symbol).flatMap { MethodSignature(demangled: $0, owner: name) }
        }
        // A conformance has a witness for every requirement, whether or not the class implements it.
        requirements = symbols.filter { $0.hasSuffix("FTW") }.compactMap { symbol in
            guard let text = Demangling.text(of: symbol), text.hasPrefix(Self.witness),
                let end = text.range(of: " in conformance ")
            else { return nil }
            let requirement = String(text[..<end.lowerBound].dropFirst(Self.witness.count))
            return Self.protocols.lazy.compactMap { MethodSignature(demangled: requirement, owner: $0) }.first
        }
    }

    private static let witness = "protocol witness for "
    private static let protocols = [
        "UIKit.UIApplicationDelegate", "UserNotifications.UNUserNotificationCenterDelegate", "UIKit.UISceneDelegate",
        "UIKit.UIWindowSceneDelegate", "UserNotificationsUI.UNNotificationContentExtension",
    ]

    func overriding(_ inherited: [MethodSignature]) -> Self {
        Self(name: name, methods: methods, requirements: requirements + inherited)
    }
}
