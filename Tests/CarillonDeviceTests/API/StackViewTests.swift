import Foundation
import Testing

@testable import UIKit

@MainActor @Suite("A stack of views") struct StackViewTests {
    private func views(_ widths: CGFloat...) -> [UIView] {
        widths.map { UIView(frame: CGRect(x: 0, y: 0, width: $0, height: 10)) }
    }

    private func arranged(
        _ views: [UIView], axis: NSLayoutConstraint.Axis = .horizontal, _ adjust: (UIStackView) -> Void = { _ in }
    ) -> [CGRect] {
        let stack = UIStackView(arrangedSubviews: views)
        stack.frame = CGRect(x: 0, y: 0, width: 100, height: 50)
        stack.axis = axis
        adjust(stack)
        stack.layoutIfNeeded()
        return views.map(\.frame)
    }

    private func rectangle(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CGRect {
        CGRect(x: x, y: y, width: width, height: height)
    }

    @Test("a row fills its frame: the last view takes what is left, or each the same, or each its share")
    func fills() {
        #expect(arranged(views(20, 30)) { $0.spacing = 10 } == [rectangle(0, 0, 20, 50), rectangle(30, 0, 70, 50)])
        #expect(
            arranged(views(20, 30)) { $0.distribution = .fillEqually } == [
                rectangle(0, 0, 50, 50), rectangle(50, 0, 50, 50),
            ])
        #expect(
            arranged(views(20, 30)) { $0.distribution = .fillProportionally } == [
                rectangle(0, 0, 40, 50), rectangle(40, 0, 60, 50),
            ])
    }

    @Test("or leaves its views their lengths, with equal room between them or between their middles")
    func spaces() {
        #expect(arranged(views(20, 20, 20)) { $0.distribution = .equalSpacing }.map(\.minX) == [0, 40, 80])
        #expect(arranged(views(20, 40, 20)) { $0.distribution = .equalCentering }.map(\.midX) == [10, 50, 90])
    }

    @Test("across, a view fills, or keeps its breadth at one side or in the middle")
    func aligns() {
        for (alignment, y) in [(UIStackView.Alignment.leading, 0), (.center, 20), (.trailing, 40)] {
            #expect(arranged(views(20)) { $0.alignment = alignment } == [rectangle(0, CGFloat(y), 100, 10)])
        }
    }

    @Test("hidden views and views taken out leave no gap; a custom spacing follows its view")
    func hidden() {
        let three = views(20, 20, 20)
        three[1].isHidden = true
        let stack = UIStackView(arrangedSubviews: three)
        stack.frame = CGRect(x: 0, y: 0, width: 100, height: 50)
        stack.spacing = 10
        stack.layoutIfNeeded()
        #expect(three[2].frame.minX == 30)
        three[1].isHidden = false
        stack.setCustomSpacing(4, after: three[0])
        stack.layoutIfNeeded()
        #expect(three[1].frame.minX == 24 && three[2].frame.minX == 54)
        stack.removeArrangedSubview(three[0])
        three[1].removeFromSuperview()
        stack.layoutIfNeeded()
        #expect(stack.arrangedSubviews == [three[2]] && three[0].superview === stack && three[2].frame.minX == 0)
    }

    @Test("a column says how high it wants to be, with long text in several lines")
    func fits() {
        let label = UILabel(frame: .zero)
        (label.text, label.numberOfLines) = (String(repeating: "word ", count: 20), 0)
        let stack = UIStackView(arrangedSubviews: [label] + views(20))
        (stack.axis, stack.spacing) = (.vertical, 5)
        let line = label.font.lineHeight
        let height = stack.sizeThatFits(CGSize(width: 200, height: 0)).height
        #expect(height > 4 * line + 15 && height < 8 * line + 15)
    }

    @Test("what shows that something is under way takes room only while it is")
    func indicator() {
        let indicator = UIActivityIndicatorView(style: .medium)
        let after = UIView(frame: CGRect(x: 0, y: 0, width: 20, height: 10))
        let stack = UIStackView(arrangedSubviews: [indicator, after])
        stack.frame = CGRect(x: 0, y: 0, width: 100, height: 50)
        stack.layoutIfNeeded()
        #expect(indicator.isHidden && after.frame.minX == 0)
        indicator.startAnimating()
        stack.layoutIfNeeded()
        #expect(indicator.isAnimating && after.frame.minX == 20)
        indicator.stopAnimating()
        indicator.hidesWhenStopped = false
        #expect(!indicator.isHidden && !indicator.isAnimating)
    }
}
