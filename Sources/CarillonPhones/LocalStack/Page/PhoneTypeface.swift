import CarillonPage
import CarillonServer
import Foundation

/// The typeface of the phones' screens on the page: [Inter](https://rsms.me/inter/), which resembles iOS's own.
///
/// Inter is under the SIL Open Font License and is part of neither this package nor its programs. Debian's package `fonts-inter`
/// installs it. If it is installed on the program's machine, the program serves the font and its licence to the browser.
/// Otherwise the page uses a typeface of the browser's machine.
struct PhoneTypeface: Sendable {
    /// The folder in which `fonts-inter` installs its files.
    static let folder = URL(fileURLWithPath: "/usr/share/fonts/opentype/inter")
    /// The file with the licence, which `fonts-inter` installs.
    static let licence = URL(fileURLWithPath: "/usr/share/doc/fonts-inter/copyright")
    private static let faces = [
        (weights: "400 500", file: "Inter-Regular.otf", local: "Inter Regular"),
        (weights: "600 700", file: "Inter-SemiBold.otf", local: "Inter SemiBold"),
    ]

    /// The fonts, and the licence as `Inter-LICENSE.txt`.
    let files: [PageFile]
    /// The `@font-face` rules of the style sheet `typeface.css`, which makes the fonts available to the page.
    let rules: String

    /// Reads the typeface; `nil` if a font file or the licence is missing.
    init?(in folder: URL = PhoneTypeface.folder, licence: URL = PhoneTypeface.licence) {
        var files: [PageFile] = []
        for face in Self.faces {
            guard let font = try? Data(contentsOf: folder.appendingPathComponent(face.file)) else { return nil }
            files.append(PageFile(face.file, [UInt8](font)))
        }
        guard let text = try? Data(contentsOf: licence) else { return nil }
        files.append(PageFile("Inter-LICENSE.txt", [UInt8](text)))
        self.files = files
        rules =
            Self.faces.map { face in
                """
                @font-face { font-family: "Phone Sans"; font-weight: \(face.weights); font-display: fallback; \
                src: local("\(face.local)"), url("\(face.file)") format("opentype"); }

                """
            }.joined() + "/* Inter's licence: Inter-LICENSE.txt */\n"
    }
}
