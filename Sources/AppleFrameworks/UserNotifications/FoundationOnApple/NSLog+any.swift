import Foundation

/// Logs a line, and accepts a collection or an error for `%@`, as on iOS, where these are objects.
///
/// Swift calls Foundation's own `NSLog` instead if Foundation's accepts all the values. Here, each value replaces the next
/// format specifier, in the form in which `print` writes the value; `%%` becomes a percent sign.
public func NSLog(_ format: String, _ args: Any...) {
    // The format is `%@` alone, because the text is already complete.
    withVaList([NSLogText.filled(format, args)]) { NSLogv("%@", $0) }
}

/// The text of an `NSLog` call, with the values filled into the format.
@_spi(Simulation) public enum NSLogText {
    public static func filled(_ format: String, _ values: [Any]) -> String {
        var (text, rest, values) = ("", Substring(format), values[...])
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            // Width, precision and length are ignored.
            let modifiers = rest.prefix { $0.isNumber || "+-#. 'hlqLztj$".contains($0) }
            guard let conversion = rest.dropFirst(modifiers.count).first else { break }
            rest = rest.dropFirst(modifiers.count + 1)
            text += conversion == "%" ? "%" : values.popFirst().map { "\($0)" } ?? ""
        }
        return text + rest
    }
}
