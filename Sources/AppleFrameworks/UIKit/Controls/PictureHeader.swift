import Foundation

/// A reader of the first bytes of a picture file.
enum PictureHeader {
    /// Reads the size of a picture.
    ///
    /// - Returns: the size in pixels; `nil` if the data is not a PNG, JPEG or GIF, or ends before the size.
    static func size(_ data: Data) -> CGSize? {
        let bytes = [UInt8](data.prefix(65536))
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return size(bytes, width: 16, height: 20, byteCount: 4) }
        if bytes.starts(with: Array("GIF8".utf8)), bytes.count >= 10 {
            return CGSize(
                width: Int(bytes[6]) | Int(bytes[7]) << 8, height: Int(bytes[8]) | Int(bytes[9]) << 8)
        }
        return bytes.starts(with: [0xFF, 0xD8]) ? sizeOfJPEG(bytes) : nil
    }

    /// Returns the size of a JPEG, by reading its segments up to the start of the frame; `nil` if the data ends before that.
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> CGSize? {
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            let isFrame = 0xC0...0xCF ~= marker && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame { return size(bytes, width: place + 7, height: place + 5, byteCount: 2) }
            place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
        }
        return nil
    }

    private static func size(_ bytes: [UInt8], width: Int, height: Int, byteCount: Int) -> CGSize? {
        guard max(width, height) + byteCount <= bytes.count else { return nil }
        func number(_ place: Int) -> Int { bytes[place..<(place + byteCount)].reduce(0) { $0 << 8 | Int($1) } }
        return CGSize(width: number(width), height: number(height))
    }
}
