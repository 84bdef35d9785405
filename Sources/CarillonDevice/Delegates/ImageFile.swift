import Foundation

/// The file that a class was loaded from.
enum ImageFile {
    /// Returns the file of the class's code, from the kernel's list of mappings; the program itself if no mapping has it.
    static func containing(_ type: AnyClass) -> URL {
        let address = UInt(bitPattern: Unmanaged.passUnretained(type as AnyObject).toOpaque())
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] <= address, address < ends[1] else { continue }
            guard words.count == 6, words[5].hasPrefix("/") else { break }
            return URL(filePath: String(words[5]))
        }
        return URL(filePath: "/proc/self/exe")
    }
}
