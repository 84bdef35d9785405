import CarillonApp
import UIKit

/// The screen: the titles in the inbox, one in a line, and the message that was opened.
@MainActor
public final class ParcelList: UIViewController {
    private let inbox = UILabel(frame: CGRect(x: 16, y: 100, width: 340, height: 400))
    private let opened = UILabel(frame: CGRect(x: 16, y: 520, width: 340, height: 40))

    public override func viewDidLoad() {
        super.viewDidLoad()
        inbox.numberOfLines = 0
        view.addSubview(inbox)
        view.addSubview(opened)
    }

    func show(_ items: [Carillon.InboxItem]) {
        loadViewIfNeeded()
        inbox.text = items.map { $0.message.title ?? "" }.joined(separator: "\n")
    }

    func open(_ message: Carillon.Message) {
        loadViewIfNeeded()
        opened.text = message.title.map { "Opened: \($0)" }
    }
}
