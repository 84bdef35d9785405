import CarillonApp
import CarillonBanner
import CarillonCore
import UIKit

/// Chime's handlers for Carillon.
extension ChimeAppDelegate {
    func listen(to carillon: Carillon) {
        listenForMessages(carillon)
        // The person responded to a notification.
        carillon.onResponse = { [weak self] response in self?.follow(response) }
        listenToScreens()
    }

    private func listenForMessages(_ carillon: Carillon) {
        // A message has come: reported once, whether it woke the app, was shown, or was tapped.
        carillon.onMessage = { [weak self] message in
            guard let self, let item = NewsItem(message) else { return }
            news.add(item)
            if self.carillon?.authorizationStatus == .denied || message.inAppDetails != nil {
                banner?.show(BannerContent(message))
            }
        }
        // The person has allowed or refused notifications.
        carillon.onAuthorizationChange = { [weak self] _ in self?.screens.refresh() }
        // The inbox has changed: it may list news without a notification on this phone, or news read on another phone.
        carillon.onInboxChange = { [weak self] in
            guard let self, let carillon = self.carillon else { return }
            news.merge(carillon.inbox)
        }
        // Messages were recalled, were read on another phone, or have expired: Chime's own banners go too.
        carillon.onRemoval = { [weak self] removed in
            self?.banner?.withdraw(removed.map(\.identifier))
            let gone = removed.filter { $0.reason != .read }
            self?.news.remove(ids: Set(gone.map(\.identifier)))
        }
        // A silent push without a message: there may be new podcasts.
        carillon.onRefresh = { [weak self] _ in
            guard let self else { return .noData }
            do {
                return try await podcasts.refresh() ? .newData : .noData
            } catch {
                return .failed
            }
        }
    }

    private func listenToScreens() {
        // The person tapped a banner, or a row of the list: the news counts as read on every phone.
        banner?.onFollow = { [weak self] content in
            if let item = self?.news.item(id: content.id) {
                self?.screens.show(item, withLink: true)
                self?.markRead(content.id)
            } else if let link = content.link {
                self?.screens.open(link)
            }
        }
        screens.onChoice = { [weak self] in self?.markRead($0.id) }
        // A banner of Chime's own needs no permission.
        screens.onEpisode = { [weak self] podcast in
            self?.banner?.show(
                BannerContent(
                    id: "now-playing", title: "Now playing",
                    body: "\(podcast.title), with \(podcast.host). Pull down to read on, flick up to put it away, tap "
                        + "to open the page of the episode and everything that was said in it.", link: podcast.link))
        }
    }

    private func markRead(_ id: String) {
        if let id = try? MessageID(id) { carillon?.markRead(id) }
    }

    private func follow(_ response: Carillon.Response) {
        let item = news.item(id: response.message.identifier) ?? NewsItem(response.message)
        switch response.action {
        case .open:
            if let item { screens.show(item) }
        case .chose(ChimeCategory.view):
            if let item { screens.show(item, withLink: true) }
        case .chose(ChimeCategory.forget):
            news.remove(ids: [response.message.identifier])
        case .replied(ChimeCategory.reply, let text):
            replies.append(text)
        case .dismiss, .chose, .replied:
            break
        }
    }
}
