import UIKit

/// The list of podcasts.
final class PodcastListController: UIViewController {
    /// Called when the person chooses an episode.
    var onChoice: ((Podcast) -> Void)?
    private var podcasts: PodcastStore?
    private let list = RowsView(frame: .zero)

    convenience init(podcasts: PodcastStore) {
        self.init(nibName: nil, bundle: nil)
        self.podcasts = podcasts
        title = "Podcasts"
    }

    override func loadView() { view = list }

    override func viewDidLoad() {
        super.viewDidLoad()
        list.backgroundColor = .systemBackground
        list.heading = "Podcasts"
        list.emptyText = "No episodes yet."
        reload()
    }

    func reload() {
        list.rows = (podcasts?.podcasts ?? []).map { podcast in
            RowsView.Row(id: podcast.title, title: podcast.title, detail: podcast.host) { [weak self] in
                self?.onChoice?(podcast)
            }
        }
    }
}
