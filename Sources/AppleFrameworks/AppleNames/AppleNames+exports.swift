// The contents of the modules in AppleNames.modulemap on Apple's platforms. Files that import Foundation alone import this
// module implicitly, and so get names such as `URLSession` that Foundation has there.
@_exported import Crypto
@_exported import MobileCoreServices
@_exported import OSLog
@_exported import UserNotifications
