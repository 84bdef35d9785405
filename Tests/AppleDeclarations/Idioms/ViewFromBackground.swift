// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: warned · Swift 6, main actor by default: accepted
import UIKit

struct BannerModel {
    let label: UILabel

    func show(_ text: String) {
        label.text = text
        label.isHidden = false
        UIView.animate(withDuration: 0.3) { label.alpha = 1 }
    }
}
