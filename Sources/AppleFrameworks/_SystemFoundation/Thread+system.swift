import Foundation

extension Thread {
    /// Foundation's `Thread(block:)`.
    public convenience init(system block: @escaping @Sendable () -> Void) { self.init(block: block) }

    /// Foundation's `detachNewThread(_:)`.
    public static func systemDetach(_ block: @escaping @Sendable () -> Void) { detachNewThread(block) }
}
