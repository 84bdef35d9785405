@_exported import enum CarillonCore.APNsEnvironment
// What an app's tests say to a phone, so that they import only this module. Not all of CarillonCore: an app may well
// have a type called Payload or Sound of its own.
@_exported import protocol CarillonCore.CarillonClock
@_exported import enum CarillonCore.JSONValue
@_exported import class CarillonCore.ManualClock
@_exported import enum CarillonCore.PushType
@_exported import class CarillonCore.SystemClock
@_exported import struct CarillonCore.Timestamp
