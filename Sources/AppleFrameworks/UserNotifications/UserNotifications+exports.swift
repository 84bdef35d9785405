// Apple's UserNotifications brings Foundation along, so that code which imports it alone finds URLSession as well.
@_exported import Foundation
@_exported import FoundationNetworking
