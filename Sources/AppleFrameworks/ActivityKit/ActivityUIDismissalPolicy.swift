import Foundation

/// The time at which an ended Live Activity leaves the lock screen.
/// [ActivityUIDismissalPolicy](https://developer.apple.com/documentation/activitykit/activityuidismissalpolicy)
@available(iOS 16.1, *)
public struct ActivityUIDismissalPolicy: Equatable, Sendable {
    @_spi(Simulation) public enum Kind: Sendable, Hashable {
        case standard, immediate
        case after(Date)
    }

    @_spi(Simulation) public let kind: Kind

    /// Four hours after the end, unless the person removes it earlier.
    public static let `default` = ActivityUIDismissalPolicy(kind: .standard)
    /// At once.
    public static let immediate = ActivityUIDismissalPolicy(kind: .immediate)

    /// At `date`, but at the latest four hours after the end.
    public static func after(_ date: Date) -> ActivityUIDismissalPolicy { .init(kind: .after(date)) }
}
