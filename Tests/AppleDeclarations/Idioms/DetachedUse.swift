// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: accepted · Swift 6, main actor by default: accepted
import UIKit

func openSettings() {
    Task { @MainActor in
        guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
        await UIApplication.shared.open(url)
    }
}
