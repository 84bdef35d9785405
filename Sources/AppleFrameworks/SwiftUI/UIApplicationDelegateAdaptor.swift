import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A property wrapper that makes and holds the app delegate of a SwiftUI app.
/// [UIApplicationDelegateAdaptor](https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor)
///
/// Differs from iOS: `UIApplication.shared.delegate` is the app's own delegate, which this wrapper makes. On iOS, it is a
/// delegate of SwiftUI, which forwards calls to the app's own.
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    public let wrappedValue: DelegateType

    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        let delegate = Creatable.make(delegateType)
        wrappedValue = delegate
        (SimulatedDevices.currentProcess as? any SimulatedAppProcess)?.application.delegate = delegate
    }
}
