import Foundation
import _SystemFoundation

extension Bundle {
    /// The bundle of the calling app: the values of its `AppBundle`, and the files of its folder of resources.
    ///
    /// In every file, Swift prefers this property to Foundation's, because `some Bundle` is more specific than `Bundle`. Outside
    /// any phone, the bundle is the program's.
    ///
    /// Differs from iOS: the resources are in the phone's language, but `preferredLocalizations` follows the machine.
    /// `Bundle(for:)` returns the program's bundle.
    public class var main: some Bundle { SimulatedDevices.taskProcess?.mainBundle ?? .system }
}

// Foundation's own functions would use the program's bundle.

/// Returns a text in the language of the calling app's phone.
///
/// - Parameter comment: a hint for translators.
/// - Returns: the key if there is no such text.
public func NSLocalizedString(_ key: String, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: nil, table: nil)
}

/// Returns a text from `tableName`.strings in the language of the calling app's phone; the key if there is none.
public func NSLocalizedString(_ key: String, tableName: String?, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: nil, table: tableName)
}

/// Returns a text in the language of the calling app's phone; `value` if there is none.
public func NSLocalizedString(_ key: String, value: String, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: value, table: nil)
}

/// Returns a text from `tableName`.strings in the language of the calling app's phone; `value` if there is none.
public func NSLocalizedString(_ key: String, tableName: String?, value: String, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: value, table: tableName)
}
