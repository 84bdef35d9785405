import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A browser inside the app.
/// [SFSafariViewController](https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller)
///
/// Differs from iOS: the page is not loaded. The screen shows the page's address, and the phone records this address as an
/// opened URL.
@MainActor @preconcurrency open class SFSafariViewController: UIViewController {
    public let initialURL: URL
    public weak var delegate: (any SFSafariViewControllerDelegate)?
    private let (bar, foot, field) = (UIView(frame: .zero), UIView(frame: .zero), UIView(frame: .zero))
    private let (host, notice, address) = (UILabel(frame: .zero), UILabel(frame: .zero), UILabel(frame: .zero))
    private var done = UIButton(type: .system)

    /// Makes a browser for one web page.
    ///
    /// - Parameter URL: an http or https URL; another scheme ends the app, as on iOS.
    public init(url URL: URL) {
        if !["http", "https"].contains(URL.scheme?.lowercased() ?? "") {
            SimulatedDevices.hasMade(mistake: "safariScheme", URL.absoluteString)
        }
        initialURL = URL
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        bar.backgroundColor = .secondarySystemBackground
        foot.backgroundColor = .secondarySystemBackground
        field.backgroundColor = .systemGray5
        field.layer.cornerRadius = 10
        done = UIButton(type: .system, primaryAction: UIAction(title: "Done") { [weak self] _ in self?.finish() })
        done.titleLabel?.font = .boldSystemFont(ofSize: 17)
        show(initialURL.host ?? "", in: host, .systemFont(ofSize: 15), .label)
        show("This phone loads no pages.", in: notice, .boldSystemFont(ofSize: 17), .label)
        show(initialURL.absoluteString, in: address, .systemFont(ofSize: 14), .secondaryLabel)
        address.numberOfLines = 4
        for part in [bar, foot, field, done, host, notice, address] { view.addSubview(part) }
    }

    private func show(_ text: String, in label: UILabel, _ font: UIFont, _ color: UIColor) {
        label.text = text
        label.font = font
        label.textColor = color
        label.textAlignment = .center
    }

    open override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let (width, height) = (view.bounds.width, view.bounds.height)
        let (top, bottom) = (view.safeAreaInsets.top, view.safeAreaInsets.bottom)
        bar.frame = CGRect(x: 0, y: 0, width: width, height: top + 52)
        done.frame = CGRect(x: 8, y: top + 8, width: 64, height: 36)
        field.frame = CGRect(x: 80, y: top + 8, width: width - 96, height: 36)
        host.frame = CGRect(x: 92, y: top + 15, width: width - 120, height: 22)
        notice.frame = CGRect(x: 24, y: height / 2 - 40, width: width - 48, height: 26)
        address.frame = CGRect(x: 24, y: height / 2 - 8, width: width - 48, height: 72)
        foot.frame = CGRect(x: 0, y: height - bottom - 44, width: width, height: bottom + 44)
    }

    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess
        process?.application.noteSafariView(initialURL)
    }

    private func finish() {
        dismiss(animated: true) { self.delegate?.safariViewControllerDidFinish(self) }
    }
}

/// The methods that tell a delegate that the person has closed the browser.
@MainActor @preconcurrency public protocol SFSafariViewControllerDelegate: NSObjectProtocol {
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}

extension SFSafariViewControllerDelegate {
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) {}
}
