// Apple's UIKit re-exports these modules, so app code that imports only UIKit finds them. Foundation and FoundationNetworking
// come from UserNotifications alone, so that the sessions, timers and queues in such code are the phone's.
@_exported import UserNotifications
