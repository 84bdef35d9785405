/// Why the store cannot be used now.
package enum StoreError: Error, CustomStringConvertible {
    /// The file exists and cannot be read: before the first unlock after a restart, protected files cannot.
    case unreadable(file: String, reason: String)
    case unwritable(file: String, reason: String)

    package var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(file): \(reason)"
        case .unwritable(let file, let reason): "cannot write \(file): \(reason)"
        }
    }
}
