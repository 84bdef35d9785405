import Foundation
import UIKit

/// The list of news.
final class NewsListController: UIViewController {
    var onChoice: ((NewsItem) -> Void)?
    private var news: NewsStore?
    /// Returns whether the person has refused notifications.
    private var isDenied: () -> Bool = { false }
    private let list = RowsView(frame: .zero)

    convenience init(news: NewsStore, isDenied: @escaping () -> Bool) {
        self.init(nibName: nil, bundle: nil)
        self.news = news
        self.isDenied = isDenied
        title = "News"
        news.onChange = { [weak self] in self?.reload() }
    }

    override func loadView() { view = list }

    override func viewDidLoad() {
        super.viewDidLoad()
        list.backgroundColor = .systemBackground
        list.emptyText = "No news yet."
        reload()
    }

    func reload() {
        let items = (news?.items ?? []).map { item in
            let title = item.isUnread ? "• " + item.title : item.title
            return RowsView.Row(id: item.id, title: title, detail: item.text, lineLimit: 3) { [weak self] in
                self?.onChoice?(item)
            }
        }
        list.rows = (isDenied() ? [.settings] : []) + items
    }
}

/// One piece of news.
final class NewsItemController: UIViewController {
    /// Called when the person taps the link to the full story.
    var onReadMore: ((URL) -> Void)?
    private(set) var item = NewsItem(id: "", title: "", text: "", link: nil)

    convenience init(item: NewsItem) {
        self.init(nibName: nil, bundle: nil)
        self.item = item
        title = "News"
    }

    override func loadView() {
        let rows = RowsView(frame: .zero)
        rows.backgroundColor = .systemBackground
        rows.rows = [RowsView.Row(id: "item", title: item.title, detail: item.text)]
        if let link = item.link {
            let more = RowsView.Row(id: "more", title: "Read more", detail: link.absoluteString, lineLimit: 2) {
                [weak self] in
                self?.onReadMore?(link)
            }
            rows.rows.append(more)
        }
        view = rows
    }
}
