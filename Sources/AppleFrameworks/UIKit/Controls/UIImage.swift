import Foundation

/// A picture: one of the system's symbols, by name, or the bytes of a file.
/// [UIImage](https://developer.apple.com/documentation/uikit/uiimage)
public class UIImage: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    @_spi(Simulation) public let symbolName: String?
    @_spi(Simulation) public let data: Data?

    /// Differs from iOS: any name is taken, since there is no list of symbols.
    public init?(systemName name: String) {
        symbolName = name
        data = nil
    }

    /// Differs from iOS: never fails, since the bytes are not decoded here.
    public init?(data: Data) {
        symbolName = nil
        self.data = data
    }
}
