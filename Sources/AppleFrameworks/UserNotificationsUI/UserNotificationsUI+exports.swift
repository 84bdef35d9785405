// Apple's UserNotificationsUI brings UIKit along.
@_exported import UIKit
