import Foundation

/// An inspection of classes, which finds their methods in the symbol table of the program.
@MainActor enum DelegateInspection {
    // The number of entries is bounded by the program's classes and files.
    private static var reports: [ObjectIdentifier: DelegateReport] = [:]
    private static var tables: [String: SymbolTable?] = [:]

    /// Returns the report on an object's class; inspects each class of the program only once.
    static func report(on object: AnyObject) -> DelegateReport {
        let type: AnyClass = Swift.type(of: object)
        if let known = reports[ObjectIdentifier(type)] { return known }
        let report = inspect(type)
        reports[ObjectIdentifier(type)] = report
        return report
    }

    private static func inspect(_ type: AnyClass) -> DelegateReport {
        let chain = Array(sequence(first: type) { _getSuperclass($0) })
        let own = chain.prefix { !isApples($0) }
        let apples: AnyClass? = chain.first(where: isApples)
        guard !own.isEmpty else { return DelegateReport() }
        let file = ImageFile.containing(type)
        let table = tables[file.path] ?? SymbolTable(file: file)
        tables[file.path] = table
        guard let table else {
            return DelegateReport(
                unchecked: "the methods of \(String(reflecting: type)) were not compared with Apple's: "
                    + "\(file.lastPathComponent) has no symbol table (was it stripped?)")
        }
        let types = own + [apples].compactMap { $0 }
        let symbols = types.map { type in _mangledTypeName(type).map { "$s" + $0 } ?? "" }
        let names = table.names(beginningWith: symbols.filter { !$0.isEmpty })
        var classes = zip(types, symbols).map { type, symbol in
            NearMiss.ClassMethods(name: String(reflecting: type), symbols: names[symbol] ?? [])
        }
        // A subclass of the service extension must match the methods of Apple's class. For other classes only protocols count.
        let base = apples.map { _ in classes.removeLast() }
        if let base, base.name == "UserNotifications.UNNotificationServiceExtension" {
            classes[classes.count - 1] = classes[classes.count - 1].overriding(base.methods)
        }
        return DelegateReport(nearMisses: NearMiss.findings(in: classes))
    }

    private static func isApples(_ type: AnyClass) -> Bool {
        ["UIKit.", "UserNotifications.", "Foundation."].contains { String(reflecting: type).hasPrefix($0) }
    }
}

/// A report on the methods of an app's delegates that resemble Apple's methods but that iOS never calls.
public struct DelegateReport: Sendable, Hashable {
    /// The methods that resemble Apple's methods but that iOS never calls.
    public internal(set) var nearMisses: [NearMiss] = []
    /// The reason why a class could not be checked; `nil` if all classes were checked.
    public internal(set) var unchecked: String?
}
