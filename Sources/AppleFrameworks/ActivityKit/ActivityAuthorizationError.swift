import Foundation

/// The reason why a Live Activity did not start.
/// [ActivityAuthorizationError](https://developer.apple.com/documentation/activitykit/activityauthorizationerror)
///
/// Differs from iOS: Apple does not document the texts, the domain and the codes, so they may be others there.
@available(iOS 16.1, *)
public enum ActivityAuthorizationError: Error, Equatable, Hashable, Sendable {
    /// The attributes or the content have more than 4 KB.
    case attributesTooLarge
    /// The device does not support Live Activities.
    case unsupported
    /// The person has switched Live Activities off for the app.
    case denied
    /// The device shows no further Live Activity.
    case globalMaximumExceeded
    /// The app has as many Live Activities as it may have.
    case targetMaximumExceeded
    /// The app does not support Live Activities: its Info.plist lacks `NSSupportsLiveActivities`.
    case unsupportedTarget
    /// The app is in the background.
    case visibility
    case persistenceFailure
    case missingProcessIdentifier
    case unentitled
    case malformedActivityIdentifier
    case reconnectNotPermitted
}

@available(iOS 16.1, *)
extension ActivityAuthorizationError: LocalizedError, CustomNSError {
    public static var errorDomain: String { "com.apple.ActivityKit.ActivityAuthorizationError" }

    public var errorCode: Int {
        switch self {
        case .attributesTooLarge: 0
        case .unsupported: 1
        case .denied: 2
        case .globalMaximumExceeded: 3
        case .targetMaximumExceeded: 4
        case .unsupportedTarget: 5
        case .visibility: 6
        case .persistenceFailure: 7
        case .missingProcessIdentifier: 8
        case .unentitled: 9
        case .malformedActivityIdentifier: 10
        case .reconnectNotPermitted: 11
        }
    }

    public var failureReason: String? {
        switch self {
        case .attributesTooLarge: "The attributes and the content have more than 4 KB"
        case .unsupported: "The device does not support Live Activities"
        case .denied: "Live Activities are switched off for the app"
        case .globalMaximumExceeded: "The device has as many Live Activities as it may have"
        case .targetMaximumExceeded: "The app has as many Live Activities as it may have"
        case .unsupportedTarget: "Target does not include NSSupportsLiveActivities plist key"
        case .visibility: "Target is not foreground"
        case .persistenceFailure: "The Live Activity could not be saved"
        case .missingProcessIdentifier: "The process has no identifier"
        case .unentitled: "The app lacks an entitlement"
        case .malformedActivityIdentifier: "The identifier is malformed"
        case .reconnectNotPermitted: "Another process made the Live Activity"
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .unsupportedTarget: "Add NSSupportsLiveActivities to the Info.plist of the app"
        case .visibility: "Request the Live Activity while the app is in the foreground"
        case .denied: "Ask the person to allow Live Activities in Settings"
        default: nil
        }
    }
}
