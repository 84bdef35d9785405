// Apple's UserNotifications re-exports Foundation, so code that imports only UserNotifications finds URLSession too.
@_exported import Foundation
@_exported import FoundationNetworking
