// Apple's UIKit brings these along, so app code that imports UIKit alone finds them.
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import UserNotifications
