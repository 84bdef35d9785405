import Foundation

/// A picture: a system symbol, a named picture of the app, or the bytes of a file.
/// [UIImage](https://developer.apple.com/documentation/uikit/uiimage)
public class UIImage: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    @_spi(Simulation) public let symbolName: String?
    @_spi(Simulation) public let data: Data?

    private init(symbolName: String?, data: Data?) {
        self.symbolName = symbolName
        self.data = data
    }

    /// Makes a picture of a system symbol.
    ///
    /// Differs from iOS: any name is accepted, because there is no list of symbols.
    public convenience init?(systemName name: String) { self.init(symbolName: name, data: nil) }

    /// Makes a picture of the app, by its name.
    ///
    /// Differs from iOS: any name is accepted, because there is no asset catalogue; nothing is drawn.
    public convenience init?(named name: String) { self.init(symbolName: nil, data: nil) }

    /// Makes a picture from the bytes of a file.
    ///
    /// Differs from iOS: never fails, because the bytes are not decoded.
    public convenience init?(data: Data) { self.init(symbolName: nil, data: data) }

    /// Makes an empty picture.
    public override convenience init() { self.init(symbolName: nil, data: nil) }

    /// The size in points; a point is one pixel here.
    ///
    /// Differs from iOS: the size is known only for PNG, JPEG and GIF; it is zero for other pictures.
    public var size: CGSize { data.flatMap(PictureHeader.size) ?? .zero }

    /// The number of pixels for each point.
    ///
    /// Differs from iOS: the scale is always 1.
    public var scale: CGFloat { 1 }

    /// Returns the picture's bytes.
    ///
    /// Differs from iOS: returns the original bytes in their original format.
    ///
    /// - Returns: `nil` for a picture that was not made of bytes.
    public func pngData() -> Data? { data }

    /// Returns the picture's bytes.
    ///
    /// Differs from iOS: returns the original bytes in their original format.
    ///
    /// - Parameter compressionQuality: has no effect.
    /// - Returns: `nil` for a picture that was not made of bytes.
    public func jpegData(compressionQuality: CGFloat) -> Data? { data }

    /// Reads a picture from a file.
    ///
    /// - Returns: `nil` if there is no such file.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(symbolName: nil, data: data)
    }
}
