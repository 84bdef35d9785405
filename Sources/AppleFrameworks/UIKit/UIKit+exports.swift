// Apple's UIKit brings these along, so app code that imports UIKit alone finds them. Foundation and FoundationNetworking
// come by way of UserNotifications only: that is why sessions, timers and queues mean the phone's in such code.
@_exported import UserNotifications
