import Foundation

extension Thread {
    /// Foundation's `isMainThread`, which UserNotifications replaces for apps.
    public static var systemIsMain: Bool { isMainThread }

    /// Calls Foundation's `Thread(block:)`, which UserNotifications replaces for apps.
    ///
    /// In a call with a trailing closure, only the first argument, `()`, distinguishes this initializer from Foundation's.
    public convenience init(system: Void, block: @escaping @Sendable () -> Void) { self.init(block: block) }

    /// Calls Foundation's `detachNewThread(_:)`, which UserNotifications replaces for apps.
    public static func systemDetach(_ block: @escaping @Sendable () -> Void) { detachNewThread(block) }
}
