import Foundation

/// A picture: one of the system's symbols, one of the app's, by name, or the bytes of a file.
/// [UIImage](https://developer.apple.com/documentation/uikit/uiimage)
public class UIImage: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    @_spi(Simulation) public let symbolName: String?
    @_spi(Simulation) public let data: Data?

    private init(symbolName: String?, data: Data?) {
        self.symbolName = symbolName
        self.data = data
    }

    /// Differs from iOS: any name is taken, since there is no list of symbols.
    public convenience init?(systemName name: String) { self.init(symbolName: name, data: nil) }

    /// Differs from iOS: any name is taken, since there is no catalogue; nothing is drawn.
    public convenience init?(named name: String) { self.init(symbolName: nil, data: nil) }

    /// Differs from iOS: never fails, since the bytes are not decoded here.
    public convenience init?(data: Data) { self.init(symbolName: nil, data: data) }

    /// - Returns: `nil` where there is no such file.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(symbolName: nil, data: data)
    }
}
