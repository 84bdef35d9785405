import Foundation
import UIKit

/// A UIKit view controller that shows a SwiftUI view.
/// [UIHostingController](https://developer.apple.com/documentation/swiftui/uihostingcontroller)
///
/// Differs from iOS: only texts are drawn, in a column, when the view loads and when ``rootView`` is set.
@MainActor @preconcurrency open class UIHostingController<Content: View>: UIViewController {
    public var rootView: Content { didSet { if isViewLoaded { draw() } } }
    private let stack = UIStackView(frame: .zero)
    private var appears: [@MainActor () -> Void] = []

    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        stack.axis = .vertical
        stack.frame = view.bounds.insetBy(dx: 16, dy: 100)
        stack.autoresizingMask = [.flexibleWidth]
        view.addSubview(stack)
        draw()
    }

    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        for appear in appears { appear() }
    }

    private func draw() {
        var content = ViewContent()
        rootView.collect(into: &content)
        appears = content.appears
        for label in stack.arrangedSubviews { label.removeFromSuperview() }
        for text in content.texts {
            let label = UILabel(frame: .zero)
            label.text = text
            label.numberOfLines = 0
            stack.addArrangedSubview(label)
        }
    }
}
