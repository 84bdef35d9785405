import CarillonApp
import CarillonBanner
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit

@MainActor @Suite("The banner's texts") struct BannerTypeTests {
    /// The sizes of body, subheadline and footnote text, from the smallest to the largest accessibility size
    /// ([Typography](https://developer.apple.com/design/human-interface-guidelines/typography)).
    private static let sizes: [(body: CGFloat, subheadline: CGFloat, footnote: CGFloat)] = [
        (14, 12, 12), (15, 13, 12), (16, 14, 12), (17, 15, 13), (19, 17, 15), (21, 19, 17), (23, 21, 19),
        (28, 25, 23), (33, 30, 27), (40, 36, 33), (47, 42, 38), (53, 49, 44),
    ]

    private func surroundings(_ index: Int, _ language: String) -> BannerSurroundings {
        var surroundings = BannerSurroundings.system
        surroundings.language = { language }
        surroundings.font = { style in
            let size = Self.sizes[index]
            return switch style {
            case .subheadline: .systemFont(ofSize: size.subheadline)
            case .footnote: .systemFont(ofSize: size.footnote)
            default: .systemFont(ofSize: size.body, weight: .semibold)
            }
        }
        return surroundings
    }

    private func labels(_ card: BannerCard) -> [UILabel] {
        card.subviews.compactMap { $0 as? UILabel }.filter { $0.text?.isEmpty == false }
    }

    @Test("at none of the twelve text sizes is a text cut off, nor does one cover another", arguments: 0..<12)
    func sizes(index: Int) {
        let content = BannerContent(
            id: "b", title: "Departure of flight LH 1234 to Frankfurt is delayed", body: "It now leaves at 18:40.")
        for (language, width) in [("en", 304), ("de", 304), ("fr", 374), ("pt", 600)] as [(String, CGFloat)] {
            for isExpanded in [false, true] {
                let card = BannerCard(surroundings: surroundings(index, language))
                card.display(content)
                card.frame = CGRect(x: 0, y: 0, width: width, height: card.height(width: width, isExpanded: isExpanded))
                card.layoutSubviews()
                for label in labels(card) {
                    let place = Comment(rawValue: "\(label.text ?? "") at \(index), \(language), \(width)")
                    let needed = label.sizeThatFits(CGSize(width: label.frame.width, height: .greatestFiniteMagnitude))
                    #expect(needed.height <= label.frame.height && needed.width <= label.frame.width, place)
                    #expect(card.bounds.contains(label.frame), place)
                    if isExpanded { #expect(label.numberOfLines == 0, place) }
                    // The longest word has room in one line.
                    let words = (label.text ?? "").split(separator: " ").map {
                        CGFloat($0.count) * label.font.pointSize * 0.52
                    }
                    #expect((words.max() ?? 0) <= label.frame.width, place)
                }
                for (number, one) in labels(card).enumerated() {
                    for other in labels(card).dropFirst(number + 1) {
                        let overlap = one.frame.insetBy(dx: 0.5, dy: 0.5).intersects(
                            other.frame.insetBy(dx: 0.5, dy: 0.5))
                        #expect(!overlap, "\(index), \(language), \(width)")
                    }
                }
            }
        }
    }

    @Test("pulled open in a low window it ends above the window's lower edge, with whole lines of text")
    func lowWindow() {
        let lying = BannerGeometry(
            windowSize: CGSize(width: 667, height: 375), safeAreaTop: 0, safeAreaBottom: 21)
        #expect(lying.heightLimit == 346)
        let card = BannerCard(surroundings: surroundings(11, "en"))
        card.display(
            BannerContent(id: "b", title: "Title", body: Array(repeating: "word", count: 60).joined(separator: " ")))
        let height = min(card.height(width: 600, isExpanded: true), lying.heightLimit)
        card.frame = CGRect(x: 0, y: 0, width: 600, height: height)
        card.layoutSubviews()
        for label in labels(card) {
            #expect(card.bounds.contains(label.frame))
            let lines = label.frame.height / label.font.lineHeight
            #expect(lines == lines.rounded() && lines >= 1)
        }
    }

    @Test("it says now in the phone's language", arguments: [("en", "now"), ("de", "jetzt"), ("fr", "maintenant")])
    func now(language: String, expected: String) {
        let card = BannerCard(surroundings: surroundings(3, language))
        card.display(BannerContent(id: "b", title: "Title", body: "text"))
        #expect(labels(card).contains { $0.text == expected }, "\(labels(card).map { $0.text ?? "" })")
    }

    @Test("on a phone that is set to German it says so")
    func onThePhone() async throws {
        try await AppFixture.run { fixture in
            fixture.phone.settings.setLocale(Locale(identifier: "de_DE"))
            var plan = try fixture.plan()
            plan.configuration.presentationOptions = [.list]
            plan.usesBanner = true
            try await fixture.openAllowed(plan)
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(fixture.phone.screen.viewTree(of: AppFixture.bundleID)?.first { $0.text == "jetzt" } != nil)
        }
    }
}
