// The vocabulary that an app and the SDK share (`APNsEnvironment`, `MessageID`, `JSONValue`, …) comes with the SDK: an app
// imports one module.
@_exported import CarillonCore
