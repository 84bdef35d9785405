import CarillonMessaging

// The names that a service extension meets, for one that imports `CarillonExtension` alone.

/// What a developer should know of.
public typealias CarillonEvent = CarillonMessaging.CarillonEvent
/// What the SDK needs of the phone beyond Apple's notification API.
public typealias AppPlatform = CarillonMessaging.AppPlatform
/// How requests reach the service.
public typealias ServiceTransport = CarillonMessaging.ServiceTransport
/// Sends requests through `URLSession`.
public typealias URLSessionTransport = CarillonMessaging.URLSessionTransport
