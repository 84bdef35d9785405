import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A property for the app delegate of a SwiftUI app; the delegate is made with the app.
/// [UIApplicationDelegateAdaptor](https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor)
///
/// Differs from iOS: `UIApplication.shared.delegate` is this object itself. Apple uses a delegate of its own that forwards to
/// it.
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    public let wrappedValue: DelegateType

    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        let delegate = Creatable.make(delegateType)
        wrappedValue = delegate
        (SimulatedDevices.currentProcess as? any SimulatedAppProcess)?.application.delegate = delegate
    }
}
