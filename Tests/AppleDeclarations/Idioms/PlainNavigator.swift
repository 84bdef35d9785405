// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: warned · Swift 6, main actor by default: accepted
import UIKit

class PlainNavigator {
    let tabs: UITabBarController

    init(tabs: UITabBarController) { self.tabs = tabs }

    func showInbox() {
        tabs.selectedIndex = 1
        (tabs.selectedViewController as? UINavigationController)?.popToRootViewController(animated: false)
    }
}
