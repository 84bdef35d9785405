import UIKit

/// Shows one departure in large text.
final class DepartureController: UIViewController {
    private let label = UILabel(frame: CGRect(x: 20, y: 120, width: 350, height: 80))
    private(set) var ferry: String?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .white
        label.numberOfLines = 0
        label.text = "No departure chosen"
        view.addSubview(label)
    }

    func show(departureOf ferry: String, in timetable: Timetable) {
        loadViewIfNeeded()
        self.ferry = ferry
        label.text = timetable.line(for: ferry)
    }

    func show(_ text: String) {
        loadViewIfNeeded()
        label.text = text
    }
}
