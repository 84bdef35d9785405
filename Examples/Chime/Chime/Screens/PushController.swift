import UIKit
import UserNotifications

/// Chime's facts about push on this phone.
struct PushFacts {
    /// The person's permission; `nil` until iOS has reported it.
    var permission: UNAuthorizationStatus?
    /// The device token, in hexadecimal.
    var deviceToken: String?
    /// The result of the last refresh of the feed.
    var refresh: PodcastStore.Refresh?
}

/// The third tab: the permission with a link to Settings, and the device token for copying.
final class PushController: UIViewController {
    private var facts: () -> PushFacts? = { nil }
    private var hasCopied = false
    private let list = RowsView(frame: .zero)

    convenience init(facts: @escaping () -> PushFacts?) {
        self.init(nibName: nil, bundle: nil)
        self.facts = facts
        title = "Push"
    }

    override func loadView() { view = list }

    override func viewDidLoad() {
        super.viewDidLoad()
        list.backgroundColor = .systemBackground
        list.heading = "Push"
        reload()
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        hasCopied = false
        reload()
    }

    func reload() {
        let facts = facts()
        let permission: RowsView.Row =
            switch facts?.permission {
            case .denied?: .settings
            case .authorized?, .ephemeral?:
                RowsView.Row(id: "permission", title: "Notifications are on", detail: "Alerts, sounds and the badge.")
            case .provisional?:
                RowsView.Row(id: "permission", title: "Notifications come quietly", detail: "To the list only.")
            default:
                RowsView.Row(id: "permission", title: "Notifications", detail: "Chime has not asked yet.")
            }
        list.rows = [
            permission, token(facts?.deviceToken),
            RowsView.Row(
                id: "refresh", title: "Last refresh of the podcasts", detail: facts?.refresh?.rawValue ?? "None yet."),
        ]
    }

    private func token(_ token: String?) -> RowsView.Row {
        guard let token else {
            return RowsView.Row(id: "token", title: "Device token", detail: "iOS has not given one yet.")
        }
        let title = hasCopied ? "Device token (copied)" : "Device token (tap to copy)"
        return RowsView.Row(id: "token", title: title, detail: token) { [weak self] in
            UIPasteboard.general.string = token
            self?.hasCopied = true
            self?.reload()
        }
    }
}

extension RowsView.Row {
    /// The row for a person who has refused notifications: it leads to Settings, because iOS asks only once.
    @MainActor static var settings: RowsView.Row {
        RowsView.Row(id: "settings", title: "Notifications are off", detail: "Tap to allow them in Settings.") {
            guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
            UIApplication.shared.open(url)
        }
    }
}
