import CarillonCore
import Foundation
import SafariServices
import UIKit

/// Chime's screens: the tabs podcasts, news and push, and above the news an opened item, or the page behind its link.
@MainActor
final class ChimeScreens {
    let tabs = UITabBarController()
    /// Called when the person chooses a piece of news in the list.
    var onChoice: ((NewsItem) -> Void)?
    /// Called when the person chooses an episode.
    var onEpisode: ((Podcast) -> Void)?
    private let newsNavigation: UINavigationController
    private let newsList: NewsListController
    private let pushList: PushController
    /// The page that was opened last; Safari's controller does not tell which page it shows.
    private var page: URL?

    /// - Parameter push: returns the current contents of the third tab.
    init(news: NewsStore, podcasts: PodcastStore, push: @escaping () -> PushFacts?) {
        newsList = NewsListController(news: news) { push()?.permission == .denied }
        pushList = PushController(facts: push)
        newsNavigation = UINavigationController(rootViewController: newsList)
        newsNavigation.tabBarItem = UITabBarItem(title: "News", image: UIImage(systemName: "newspaper"), tag: 1)
        let podcastList = PodcastListController(podcasts: podcasts)
        podcastList.tabBarItem = UITabBarItem(title: "Podcasts", image: UIImage(systemName: "mic"), tag: 0)
        pushList.tabBarItem = UITabBarItem(title: "Push", image: UIImage(systemName: "bell"), tag: 2)
        tabs.viewControllers = [podcastList, newsNavigation, pushList]
        podcasts.onChange = { [weak podcastList, weak self] in
            podcastList?.reload()
            self?.pushList.reload()
        }
        podcastList.onChoice = { [weak self] in self?.onEpisode?($0) }
        newsList.onChoice = { [weak self] item in
            self?.show(item)
            self?.onChoice?(item)
        }
    }

    /// Opens a piece of news, from any screen.
    func show(_ item: NewsItem, withLink: Bool = false) {
        tabs.dismiss(animated: false)
        tabs.selectedIndex = 1
        newsNavigation.popToRootViewController(animated: false)
        let controller = NewsItemController(item: item)
        controller.onReadMore = { [weak self] in self?.open($0) }
        newsNavigation.pushViewController(controller, animated: true)
        if withLink, let link = item.link { open(link) }
    }

    /// Opens the page behind a link, above the current screen; a link that is not a web page opens in its app.
    func open(_ link: URL) {
        guard ["http", "https"].contains(link.scheme?.lowercased()) else { return UIApplication.shared.open(link) }
        page = link
        tabs.present(SFSafariViewController(url: link), animated: true)
    }

    /// Refreshes the screens after a change of the permission or the device token.
    func refresh() {
        newsList.reload()
        pushList.reload()
    }

    var current: ChimeScreen {
        if tabs.presentedViewController is SFSafariViewController, let page { return .page(page) }
        guard tabs.selectedIndex == 1 else { return tabs.selectedIndex == 2 ? .push : .podcasts }
        return (newsNavigation.topViewController as? NewsItemController).map { .item($0.item) } ?? .news
    }
}

/// The topmost screen of Chime.
public enum ChimeScreen: Sendable, Hashable {
    case podcasts
    case news
    /// The permission and the device token.
    case push
    case item(NewsItem)
    /// The page behind a piece of news.
    case page(URL)
}

extension ChimeAppDelegate {
    /// The topmost screen.
    public var screen: ChimeScreen { screens.current }
}
