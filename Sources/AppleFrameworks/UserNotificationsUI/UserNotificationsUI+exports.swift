// Apple's UserNotificationsUI re-exports UIKit.
@_exported import UIKit
