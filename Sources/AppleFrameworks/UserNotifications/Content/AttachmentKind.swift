/// A file type that iOS accepts as attachment, with its size limit. [Supported file
/// types](https://developer.apple.com/documentation/usernotifications/unnotificationattachment#Supported-File-Types)
struct AttachmentKind {
    enum Family {
        case audio, image, movie

        var byteLimit: Int {
            switch self {
            case .audio: 5 * 1024 * 1024
            case .image: 10 * 1024 * 1024
            case .movie: 50 * 1024 * 1024
            }
        }
    }

    let family: Family
    /// The uniform type identifier.
    let type: String
    private let pathExtensions: [String]

    /// Returns the kind of a file; `nil` if iOS does not accept the file's type.
    ///
    /// As on iOS, the type hint takes precedence over the file's extension.
    static func recognise(typeHint: String?, pathExtension: String) -> AttachmentKind? {
        if let typeHint { return all.first { $0.type == typeHint } }
        return all.first { $0.pathExtensions.contains(pathExtension.lowercased()) }
    }

    private static let all = [
        AttachmentKind(family: .audio, type: "public.aiff-audio", pathExtensions: ["aiff", "aif"]),
        AttachmentKind(family: .audio, type: "com.microsoft.waveform-audio", pathExtensions: ["wav"]),
        AttachmentKind(family: .audio, type: "public.mp3", pathExtensions: ["mp3"]),
        AttachmentKind(family: .audio, type: "public.mpeg-4-audio", pathExtensions: ["m4a"]),
        AttachmentKind(family: .image, type: "public.jpeg", pathExtensions: ["jpg", "jpeg"]),
        AttachmentKind(family: .image, type: "com.compuserve.gif", pathExtensions: ["gif"]),
        AttachmentKind(family: .image, type: "public.png", pathExtensions: ["png"]),
        AttachmentKind(family: .movie, type: "public.mpeg", pathExtensions: ["mpg", "mpeg"]),
        AttachmentKind(family: .movie, type: "public.mpeg-2-video", pathExtensions: ["m2v"]),
        AttachmentKind(family: .movie, type: "public.mpeg-4", pathExtensions: ["mp4"]),
        AttachmentKind(family: .movie, type: "public.avi", pathExtensions: ["avi"]),
    ]
}
