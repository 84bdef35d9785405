import Foundation

/// A view that shows a picture.
/// [UIImageView](https://developer.apple.com/documentation/uikit/uiimageview)
@MainActor @preconcurrency open class UIImageView: UIView {
    open var image: UIImage? { didSet { changed() } }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    public convenience init(image: UIImage?) {
        self.init(frame: CGRect(x: 0, y: 0, width: 24, height: 24))
        self.image = image
    }

    public required init?(coder: NSCoder) { nil }
}
