@_exported import enum CarillonCore.APNsEnvironment
// The types of CarillonCore that tests pass to a phone, so that a test imports this module alone. The rest is not exported:
// an app may have a type called Payload or Sound of its own.
@_exported import protocol CarillonCore.CarillonClock
@_exported import enum CarillonCore.JSONValue
@_exported import class CarillonCore.ManualClock
@_exported import enum CarillonCore.PushType
@_exported import class CarillonCore.SystemClock
@_exported import struct CarillonCore.Timestamp
