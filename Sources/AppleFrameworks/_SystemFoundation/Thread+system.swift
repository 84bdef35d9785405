import Foundation

extension Thread {
    /// Foundation's `isMainThread`.
    public static var systemIsMain: Bool { isMainThread }

    /// Calls Foundation's `Thread(block:)`.
    ///
    /// The first argument distinguishes it when a trailing closure drops its label.
    public convenience init(system: Void, block: @escaping @Sendable () -> Void) { self.init(block: block) }

    /// Calls Foundation's `detachNewThread(_:)`.
    public static func systemDetach(_ block: @escaping @Sendable () -> Void) { detachNewThread(block) }
}
