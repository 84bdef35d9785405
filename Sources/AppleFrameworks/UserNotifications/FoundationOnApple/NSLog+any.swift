import Foundation

/// Logs a line in which a collection or an error may stand for `%@`, as on iOS, where they are objects.
///
/// Foundation's own is preferred where all values suit it. Each value goes where the next conversion stands, in the form that
/// `print` gives it; `%%` is a percent sign.
public func NSLog(_ format: String, _ args: Any...) {
    // Without the conversions' own: it is a finished text.
    withVaList([NSLogText.filled(format, args)]) { NSLogv("%@", $0) }
}

/// A format with its values filled in.
@_spi(Simulation) public enum NSLogText {
    public static func filled(_ format: String, _ values: [Any]) -> String {
        var (text, rest, values) = ("", Substring(format), values[...])
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            // Width, precision and length go unheeded.
            let modifiers = rest.prefix { $0.isNumber || "+-#. 'hlqLztj$".contains($0) }
            guard let conversion = rest.dropFirst(modifiers.count).first else { break }
            rest = rest.dropFirst(modifiers.count + 1)
            text += conversion == "%" ? "%" : values.popFirst().map { "\($0)" } ?? ""
        }
        return text + rest
    }
}
