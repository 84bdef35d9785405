import Foundation

/// The orientation in which an app is drawn.
/// [UIInterfaceOrientation](https://developer.apple.com/documentation/uikit/uiinterfaceorientation)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIInterfaceOrientation: Int, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    /// The phone's top is on the left.
    case landscapeRight = 3
    case landscapeLeft = 4

    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
}

/// The interface orientations that a screen supports.
/// [UIInterfaceOrientationMask](https://developer.apple.com/documentation/uikit/uiinterfaceorientationmask)
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    init(_ orientation: UIInterfaceOrientation) { rawValue = 1 << UInt(orientation.rawValue) }

    public static let portrait = Self(.portrait)
    public static let landscapeLeft = Self(.landscapeLeft)
    public static let landscapeRight = Self(.landscapeRight)
    public static let portraitUpsideDown = Self(.portraitUpsideDown)
    public static let landscape: Self = [.landscapeLeft, .landscapeRight]
    public static let all: Self = [.portrait, .landscape, .portraitUpsideDown]
    public static let allButUpsideDown: Self = [.portrait, .landscape]
}

/// The orientation in which the phone is held.
/// [UIDeviceOrientation](https://developer.apple.com/documentation/uikit/uideviceorientation)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIDeviceOrientation: Int, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    /// The phone's top is on the left.
    case landscapeLeft = 3
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6

    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
    public var isValidInterfaceOrientation: Bool { isLandscape || isPortrait }

    /// The interface orientation for this device orientation, with left and right exchanged; `nil` for a flat phone.
    var interface: UIInterfaceOrientation? {
        switch self {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeLeft: .landscapeRight
        case .landscapeRight: .landscapeLeft
        default: nil
        }
    }
}
