import Foundation
import UserNotifications

/// A text that is localized when the system shows it; Foundation's on Apple's platforms.
/// [LocalizedStringResource](https://developer.apple.com/documentation/foundation/localizedstringresource)
///
/// Differs from iOS: the text is always looked up in the app's `Localizable.strings`, in the language of the app's phone.
@available(iOS 16, *)
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable {
    private let value: String.LocalizationValue

    public init(stringLiteral value: String) { self.value = String.LocalizationValue(stringLiteral: value) }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        value = String.LocalizationValue(stringInterpolation: stringInterpolation)
    }

    /// The text in the language of the phone whose app asks.
    @_spi(Simulation) public var text: String { String(localized: value) }
}
