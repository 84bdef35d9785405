import UIKit
import UserNotifications

// What the listings do with a value of another type than they expect, as on an iPhone: the app ends.

enum ObjectiveC {
    /// Returns `[value doubleValue]`: a number's value, or the leading number of a text, 0 for a text without one.
    ///
    /// Null, an array and a dictionary do not have the method, so they end the app.
    static func doubleValue(of value: Any) -> Double {
        if let number = value as? NSNumber { return number.doubleValue }
        if let text = value as? String { return (text as NSString).doubleValue }
        let name = value is NSNull ? "NSNull" : "\(type(of: value))"
        NSException(
            name: .invalidArgumentException,
            reason: "-[\(name) doubleValue]: unrecognized selector sent to instance", userInfo: nil
        ).raise()
        return 0
    }

    /// Ends the app as a failed `as!` does.
    ///
    /// Differs from the listings: a real `as!` would end the whole program, with all its phones.
    static func failCast(of value: Any?, to type: String) {
        let reason =
            value.map { "Could not cast value of type '\(Swift.type(of: $0))' to '\(type)'" }
            ?? "Unexpectedly found nil while unwrapping an Optional value"
        NSException(name: .genericException, reason: reason, userInfo: nil).raise()
    }
}
