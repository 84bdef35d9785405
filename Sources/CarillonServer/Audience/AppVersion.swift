/// The version of an app as numbers, so that 2.10 is newer than 2.9, and 2.0 equals 2.
///
/// Apple's versions have up to three whole numbers with points between them
/// ([CFBundleShortVersionString](https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleshortversionstring)).
/// This type reads up to ``partLimit`` numbers and ignores text after them, as in `2.1-beta`.
package struct AppVersion: Sendable, Hashable {
    /// The greatest number of parts that are compared.
    package static let partLimit = 4

    /// The parts of the version, without trailing zeros.
    package let parts: [UInt64]

    init(parts: [UInt64]) { self.parts = parts }

    /// Reads a version.
    ///
    /// - Returns: the version; `nil` if the text does not begin with a digit.
    package init?(_ text: String) {
        var parts: [UInt64] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false).prefix(Self.partLimit) {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { break }
            parts.append(UInt64(digits) ?? .max)
            if digits.count < part.count { break }
        }
        guard !parts.isEmpty else { return nil }
        while parts.count > 1, parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }
}

extension AppVersion: Comparable {
    package static func < (left: AppVersion, right: AppVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}

extension AppVersion: CustomStringConvertible {
    package var description: String { parts.map(String.init).joined(separator: ".") }
}
