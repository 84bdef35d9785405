import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A browser inside the app.
/// [SFSafariViewController](https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller)
///
/// Differs from iOS: the page is not loaded. The screen shows its address, and the phone notes it among its opened URLs.
@MainActor open class SFSafariViewController: UIViewController {
    public let initialURL: URL
    public weak var delegate: (any SFSafariViewControllerDelegate)?

    /// - Parameter URL: http or https; anything else is a programming error, as on iOS.
    public init(url URL: URL) {
        precondition(
            ["http", "https"].contains(URL.scheme?.lowercased() ?? ""),
            "SFSafariViewController shows http and https only, not \(URL.scheme ?? "a URL without a scheme")")
        initialURL = URL
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let top = view.safeAreaInsets.top + 8
        let done = UIButton(
            type: .system,
            primaryAction: UIAction(title: "Done") { [weak self] _ in self?.finish() })
        done.frame = CGRect(x: 8, y: top + 40, width: 64, height: 36)
        let address = UILabel(frame: CGRect(x: 80, y: top + 40, width: view.bounds.width - 96, height: 36))
        address.text = initialURL.absoluteString
        address.font = .systemFont(ofSize: 13)
        view.addSubview(done)
        view.addSubview(address)
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

/// Hears when the person is done.
@MainActor @preconcurrency public protocol SFSafariViewControllerDelegate: NSObjectProtocol {
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}

extension SFSafariViewControllerDelegate {
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) {}
}
