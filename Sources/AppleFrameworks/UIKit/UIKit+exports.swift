// Apple's UIKit brings these along, so app code that imports UIKit alone finds them. FoundationNetworking comes by way
// of UserNotifications only: that is why `URLSession.shared` means the phone's in such code.
@_exported import Foundation
@_exported import UserNotifications
