import Foundation

/// Core Foundation's dictionary.
///
/// Differs from iOS: the type is only another name of Foundation's `NSDictionary`.
public typealias CFDictionary = NSDictionary

/// A rectangle as a dictionary, for ``UNNotificationAttachmentOptionsThumbnailClippingRectKey``.
extension CGRect {
    public var dictionaryRepresentation: CFDictionary {
        ["X": Double(minX), "Y": Double(minY), "Width": Double(width), "Height": Double(height)] as NSDictionary
    }

    /// Reads a rectangle from a dictionary.
    ///
    /// - Parameter dict: a dictionary with X, Y, Width and Height; if one is missing, the result is `nil`.
    public init?(dictionaryRepresentation dict: CFDictionary) {
        let numbers = ["X", "Y", "Width", "Height"].compactMap { dict[$0] as? Double }
        guard numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
