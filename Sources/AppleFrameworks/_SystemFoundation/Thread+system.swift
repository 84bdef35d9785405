import Foundation

extension Thread {
    /// Foundation's `isMainThread`.
    public static var systemIsMain: Bool { isMainThread }

    /// Foundation's `Thread(block:)`. The first argument keeps it apart where a trailing closure drops its label.
    public convenience init(system: Void, block: @escaping @Sendable () -> Void) { self.init(block: block) }

    /// Foundation's `detachNewThread(_:)`.
    public static func systemDetach(_ block: @escaping @Sendable () -> Void) { detachNewThread(block) }
}
