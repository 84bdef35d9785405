import Foundation

/// A file, given by its bytes or its URL. [INFile](https://developer.apple.com/documentation/intents/infile)
open class INFile: NSObject {
    struct Fields: Codable, Hashable {
        var data: Data?
        var fileURL: URL?
        var filename: String
        var typeIdentifier: String?
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    public convenience init(data: Data, filename: String, typeIdentifier: String?) {
        self.init(fields: Fields(data: data, filename: filename, typeIdentifier: typeIdentifier))
    }

    public convenience init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        self.init(
            fields: Fields(
                fileURL: fileURL, filename: filename ?? fileURL.lastPathComponent, typeIdentifier: typeIdentifier))
    }

    open var filename: String { fields.filename }
    open var typeIdentifier: String? { fields.typeIdentifier }
    open var fileURL: URL? { fields.fileURL }
    /// The file's bytes; empty if the file does not exist.
    open var data: Data { fields.data ?? fields.fileURL.flatMap { try? Data(contentsOf: $0) } ?? Data() }
}

/// An attachment of a message.
/// [INSendMessageAttachment](https://developer.apple.com/documentation/intents/insendmessageattachment)
open class INSendMessageAttachment: NSObject {
    struct Fields: Codable, Hashable {
        var audioMessageFile: INFile.Fields?
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    public convenience init(audioMessageFile: INFile) {
        self.init(fields: Fields(audioMessageFile: audioMessageFile.fields))
    }

    open var audioMessageFile: INFile? { fields.audioMessageFile.map(INFile.init(fields:)) }
}
