import CarillonApp
import CarillonCore
import Foundation
import UIKit

/// The content of an in-app banner, and the link that a tap opens.
public struct BannerContent: Sendable, Hashable {
    /// The urgency of a banner compared with other waiting banners.
    public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable, Codable {
        /// The banner appears after waiting banners with a higher priority, and after earlier ones with ``low``.
        case low
        /// The banner appears after waiting banners with the priority ``high``, and after earlier ones with ``normal``.
        case normal
        /// The banner appears before all waiting banners, except earlier ones with the priority ``high``.
        case high

        /// Compares two priorities by urgency.
        ///
        /// - Parameters:
        ///   - left: a priority.
        ///   - right: another priority.
        /// - Returns: whether `left` is less urgent.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The banner's id: a new banner replaces a waiting or visible one with the same id.
    ///
    /// For the banner of a message the id is `Carillon.Message.identifier`, so that ``BannerPresenter/withdraw(_:)`` finds the
    /// banner of a recalled message.
    public var id: String
    /// The banner's first line.
    ///
    /// If it is empty, the SDK's own banner view shows the body there.
    public var title: String
    /// The text below the title; may be empty.
    public var body: String
    /// The banner's urgency among waiting banners; a visible banner is never interrupted.
    ///
    /// The default is ``Priority/normal``.
    public var priority: Priority
    /// The app's own data, which the app gets back in ``BannerPresenter/onFollow`` after a tap.
    public var userInfo: [String: JSONValue]
    /// The link for a tap, if any; the app itself opens the link in ``BannerPresenter/onFollow``.
    public var link: URL?

    /// Makes the content of a banner of the app's own.
    ///
    /// - Parameters:
    ///   - id: the banner's id; the banner replaces a waiting or visible one with the same id.
    ///   - title: may be empty.
    ///   - body: may be empty.
    ///   - priority: the default is ``Priority/normal``.
    ///   - userInfo: the app's own data, which the app gets back after a tap; the default is none.
    ///   - link: the link that a tap opens; the default is none.
    public init(
        id: String, title: String, body: String, priority: Priority = .normal, userInfo: [String: JSONValue] = [:],
        link: URL? = nil
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.priority = priority
        self.userInfo = userInfo
        self.link = link
    }

    /// Makes the content of a banner from a message: the message's title, body, link and payload.
    ///
    /// - Parameters:
    ///   - message: the message that `Carillon/onMessage` received.
    ///   - priority: the default is ``Priority/normal``.
    public init(_ message: Carillon.Message, priority: Priority = .normal) {
        self.init(
            id: message.identifier, title: message.title ?? "", body: message.body ?? "", priority: priority,
            userInfo: message.userInfo, link: message.link)
    }

    /// The announcement for VoiceOver: the title and the body as two sentences.
    var spoken: String { [title, body].filter { !$0.isEmpty }.joined(separator: ". ") }
}

/// The view inside an in-app banner: the SDK's own view, or a view of the app's own.
///
/// ``BannerPresenter/makeBody`` makes the view. The presenter handles window, motion, gestures, timer and VoiceOver.
@MainActor
public protocol BannerBody: UIView {
    /// Shows the banner's texts.
    ///
    /// The presenter calls this method before the banner appears, and again when a banner with the same id replaces the visible
    /// one.
    ///
    /// - Parameter content: the banner's content.
    func display(_ content: BannerContent)

    /// Returns the height that the view needs, in points.
    ///
    /// - Parameters:
    ///   - width: the width that the banner will have, in points.
    ///   - isExpanded: whether the person has pulled the banner open; then the whole text should be visible.
    /// - Returns: the height of the whole banner, in points.
    func height(width: CGFloat, isExpanded: Bool) -> CGFloat
}
