import Foundation
import _SystemFoundation

extension Bundle {
    /// The bundle of the calling app: the values of its `AppBundle`, and the files of its folder of resources.
    ///
    /// Swift prefers this to Foundation's in every file, because its type is more specific. Outside any phone it is the
    /// program's.
    ///
    /// Differs from iOS: the resources are in the phone's language, but `preferredLocalizations` follows the machine.
    /// `Bundle(for:)` returns the program's bundle.
    public class var main: some Bundle { SimulatedDevices.taskProcess?.mainBundle ?? .system }
}

// Foundation's own function would use the program's bundle.

/// Returns a text in the language of the phone whose app asks.
///
/// - Parameter comment: for translators.
/// - Returns: the key if there is no such text.
public func NSLocalizedString(_ key: String, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: nil, table: nil)
}

/// Returns a text from `tableName`.strings in the language of the phone whose app asks; the key if there is none.
public func NSLocalizedString(_ key: String, tableName: String?, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: nil, table: tableName)
}

/// Returns a text in the language of the phone whose app asks; `value` if there is none.
public func NSLocalizedString(_ key: String, value: String, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: value, table: nil)
}

/// Returns a text from `tableName`.strings in the language of the phone whose app asks; `value` if there is none.
public func NSLocalizedString(_ key: String, tableName: String?, value: String, comment: String) -> String {
    Bundle.main.localizedString(forKey: key, value: value, table: tableName)
}
