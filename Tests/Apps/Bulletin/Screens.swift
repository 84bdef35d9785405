// swift-format-ignore-file: NeverForceUnwrap

import UIKit

/// Episodes in one tab, stories in the other, each under a navigation bar.
enum UITabBarControllerFactory {
    @MainActor static func show(in delegate: AppDelegate) {
        let episodes = UINavigationController(rootViewController: EpisodesViewController())
        episodes.tabBarItem = UITabBarItem(title: "Podcasts", image: UIImage(systemName: "mic"), tag: 0)
        let stories = UINavigationController(rootViewController: StoriesViewController())
        stories.tabBarItem = UITabBarItem(title: "Stories", image: UIImage(systemName: "newspaper"), tag: 1)
        let tabs = UITabBarController()
        tabs.viewControllers = [episodes, stories]
        delegate.window = UIWindow(frame: UIScreen.main.bounds)
        delegate.window?.rootViewController = tabs
        delegate.window?.makeKeyAndVisible()
    }
}

class EpisodesViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Podcasts"
        view.backgroundColor = .white
    }
}

class StoriesViewController: UIViewController {
    private let label = UILabel()
    private var observer: NSObjectProtocol?

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Stories"
        view.backgroundColor = .white
        label.frame = CGRect(x: 16, y: 120, width: 300, height: 40)
        view.addSubview(label)
        let stories = (UIApplication.shared.delegate as! AppDelegate).stories
        observer = NotificationCenter.default.addObserver(
            forName: .storyHasCome, object: stories, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.reload(stories) }
        }
        reload(stories)
    }

    private func reload(_ stories: NewsList) { label.text = stories.stories.first?.title ?? "Nothing yet" }
}
