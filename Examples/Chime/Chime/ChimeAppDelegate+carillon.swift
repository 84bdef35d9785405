import CarillonApp
import UIKit

/// What Chime does when Carillon calls.
extension ChimeAppDelegate {
    func listen(to carillon: Carillon) {
        // News has come: once, whether it woke the app, was shown, or was tapped.
        carillon.onMessage = { [weak self] message in
            guard let self, let item = NewsItem(message) else { return }
            news.add(item)
            if self.carillon?.permission == .denied { banner?.show(BannerContent(message)) }
        }
        // It was recalled, or read on another phone: Chime's banner goes like the system's.
        carillon.onRemoval = { [weak self] removed in self?.banner?.withdraw(removed.map(\.identifier)) }
        // A silent push without a message: there may be new podcasts.
        carillon.onRefresh = { [weak self] _ in
            guard let self else { return .noData }
            do {
                return try await podcasts.refresh() ? .newData : .noData
            } catch {
                return .failed
            }
        }
        // The person touched a notification.
        carillon.onResponse = { [weak self] response in self?.follow(response) }
        // The person tapped a banner, or a row of the list: read here is read everywhere.
        banner?.onFollow = { [weak self] content in
            if let item = self?.news.item(id: content.id) { self?.screens.show(item) }
            self?.markRead(content.id)
        }
        screens.onChoice = { [weak self] in self?.markRead($0.id) }
    }

    private func markRead(_ id: String) {
        if let id = try? MessageID(id) { carillon?.markRead(id) }
    }

    private func follow(_ response: MessageResponse) {
        let item = news.item(id: response.message.identifier) ?? NewsItem(response.message)
        switch response.action {
        case .open:
            if let item { screens.show(item) }
        case .chose(ChimeCategory.view):
            if let item { screens.show(item, withLink: true) }
        case .chose(ChimeCategory.forget):
            news.remove(id: response.message.identifier)
        case .replied(ChimeCategory.reply, let text):
            replies.append(text)
        case .dismiss, .chose, .replied:
            break
        }
    }
}
