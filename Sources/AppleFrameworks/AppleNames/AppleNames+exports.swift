// What the modules of AppleNames.modulemap have on Apple's platforms. It is imported without being named, so that files
// that import Foundation alone get what Foundation has there, `URLSession` for one.
@_exported import Crypto
@_exported import MobileCoreServices
@_exported import OSLog
@_exported import UserNotifications
