import UIKit

/// The list of podcasts.
final class PodcastListController: UIViewController {
    private var podcasts: PodcastStore?
    private let list = RowsView(frame: .zero)

    convenience init(podcasts: PodcastStore) {
        self.init(nibName: nil, bundle: nil)
        self.podcasts = podcasts
        title = "Podcasts"
        podcasts.onChange = { [weak self] in self?.reload() }
    }

    override func loadView() { view = list }

    override func viewDidLoad() {
        super.viewDidLoad()
        list.backgroundColor = .systemBackground
        reload()
    }

    private func reload() {
        list.rows = (podcasts?.podcasts ?? []).map { RowsView.Row(title: $0.title, detail: $0.host) }
    }
}
