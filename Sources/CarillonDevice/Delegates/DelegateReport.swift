import Foundation

/// What a look at a delegate's methods came to.
public struct DelegateReport: Sendable, Hashable {
    public internal(set) var nearMisses: [NearMiss] = []
    /// Why there was nothing to look at, in a sentence; `nil` when the look was taken.
    public internal(set) var unchecked: String?
}

/// Takes the methods of classes from the symbols of the program that contains them.
@MainActor enum DelegateInspection {
    // As many as the program has classes and files.
    private static var reports: [ObjectIdentifier: DelegateReport] = [:]
    private static var tables: [String: SymbolTable?] = [:]

    /// Looked at once for each class of the program.
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
                unchecked: "the methods of \(String(reflecting: type)) were not checked for near misses: "
                    + "\(file.lastPathComponent) has no symbol table (was it stripped?)")
        }
        let types = own + [apples].compactMap { $0 }
        let symbols = types.map { type in _mangledTypeName(type).map { "$s" + $0 } ?? "" }
        let names = table.names(beginningWith: symbols.filter { !$0.isEmpty })
        var classes = zip(types, symbols).map { type, symbol in
            NearMiss.ClassMethods(name: String(reflecting: type), symbols: names[symbol] ?? [])
        }
        // What Apple's class offers to override is what a subclass of it must match; of others only protocols count.
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

extension NearMiss.ClassMethods {
    /// - Parameter symbols: the mangled names that begin with the class's.
    init(name: String, symbols: [String]) {
        self.name = name
        methods = symbols.filter { $0.hasSuffix("F") || $0.hasSuffix("FZ") }.compactMap { symbol in
            Demangling.text(of: symbol).flatMap { MethodSignature(demangled: $0, owner: name) }
        }
        // A conformance has a witness for every requirement, whether the class has a method for it or not.
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

/// The file that a class was loaded from.
private enum ImageFile {
    /// From the kernel's list of mappings; the program itself when the class is in none of them.
    static func containing(_ type: AnyClass) -> URL {
        let address = UInt(bitPattern: Unmanaged.passUnretained(type as AnyObject).toOpaque())
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] <= address, address < ends[1] else { continue }
            guard words.count == 6, words[5].hasPrefix("/") else { break }
            return URL(filePath: String(words[5]))
        }
        return URL(filePath: "/proc/self/exe")
    }
}

private enum Demangling {
    static func text(of symbol: String) -> String? {
        guard let text = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

/// Part of the Swift runtime's stable interface on Linux too, though no header declares it to Swift.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
