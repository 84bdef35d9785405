import UIKit

/// An app that does nothing by itself.
final class QuietApp: UIResponder, UIApplicationDelegate {}
