import CarillonCore
import CarillonMessaging

/// The names from `CarillonCore` that the SDK's API speaks in, for an app that imports `CarillonApp` alone.
///
/// That module is not re-exported: its names are plain (`Payload`, `Timestamp`, `Alert`), and SwiftUI and other SDKs have such
/// ones too.
extension Carillon {
    /// The id of a message.
    public typealias MessageID = CarillonCore.MessageID
    /// A value of a payload.
    public typealias JSONValue = CarillonCore.JSONValue
    /// A moment, in milliseconds since 1970.
    public typealias Timestamp = CarillonCore.Timestamp
    /// `production` or `sandbox`.
    public typealias APNsEnvironment = CarillonCore.APNsEnvironment
    /// What a person allows.
    public typealias PermissionState = CarillonCore.PermissionState
    /// A source of time: the phone's, or a test's.
    public typealias Clock = CarillonCore.CarillonClock
}

// What app and extension share, for an app that imports `CarillonApp` alone.

/// What a developer should know of.
public typealias CarillonEvent = CarillonMessaging.CarillonEvent
/// What the SDK needs of the phone beyond Apple's notification API.
public typealias AppPlatform = CarillonMessaging.AppPlatform
/// How requests reach the service.
public typealias ServiceTransport = CarillonMessaging.ServiceTransport
/// A request to the service.
public typealias ServiceRequest = CarillonMessaging.ServiceRequest
/// The service's answer.
public typealias ServiceResponse = CarillonMessaging.ServiceResponse
/// Sends requests through `URLSession`.
public typealias URLSessionTransport = CarillonMessaging.URLSessionTransport
