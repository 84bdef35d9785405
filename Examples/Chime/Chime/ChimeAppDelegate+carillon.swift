import CarillonApp
import UIKit

/// What Chime does when Carillon calls.
extension ChimeAppDelegate {
    func listen(to carillon: Carillon) {
        // News has come: once, whether it woke the app, was shown, or was tapped.
        carillon.onMessage = { [weak self] message in
            if let item = NewsItem(message) { self?.news.add(item) }
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
        // The person touched a notification.
        carillon.onResponse = { [weak self] response in self?.follow(response) }
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
