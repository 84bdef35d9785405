// On Apple's platforms, the modules in AppleNames.modulemap contain these names. Files that import only Foundation import this
// module implicitly, so they get names that Foundation has there, such as `URLSession`.
@_exported import Crypto
@_exported import MobileCoreServices
@_exported import OSLog
@_exported import UserNotifications
