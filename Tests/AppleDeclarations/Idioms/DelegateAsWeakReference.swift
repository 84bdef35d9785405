// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: refused · Swift 6, main actor by default: accepted
import UIKit

protocol PushRouting: AnyObject {
    func route(_ link: URL)
}

final class PushRouterController: UIViewController, PushRouting {
    weak var router: (any PushRouting)?

    func route(_ link: URL) { present(UIViewController(), animated: false) }
}
