import CarillonCore
import Foundation

/// Splits the records of an imported file into named members, according to the file's format.
struct ImportColumns {
    /// The names of members that a record may have.
    static let names = ["token", "topic", "environment", "user", "tags", "locale", "time_zone", "app_version"]

    private let format: ImportFormat
    private var header: [String]?
    private var separator = UInt8(ascii: ",")

    init(_ format: ImportFormat) { self.format = format }

    /// Splits one record into its members.
    ///
    /// - Returns: the members by name; `nil` for the line with the column names.
    /// - Throws: ``ImportRefusal`` for a fault of this record; ``ImportFileError`` if the first line does not name valid columns.
    mutating func members(of record: ImportRecord) throws -> [String: JSONValue]? {
        guard let bytes = record.bytes else {
            throw ImportRefusal(
                line: record.line, reason: "is longer than \(ServiceLimits.importedRecordBytes) bytes")
        }
        guard format == .csv else { return try object(bytes, record.line) }
        guard let header else {
            try readHeader(bytes)
            return nil
        }
        let fields = try fields(bytes, record.line)
        guard fields.count == header.count else {
            throw ImportRefusal(
                line: record.line, reason: "has \(fields.count) fields, and the first line names \(header.count)")
        }
        var members: [String: JSONValue] = [:]
        for (name, text) in zip(header, fields) where !text.isEmpty {
            members[name] = name == "tags" ? Self.tags(text) : .string(text)
        }
        return members
    }

    private func object(_ bytes: [UInt8], _ line: Int) throws -> [String: JSONValue] {
        let data = Data(bytes)
        do {
            try JSONText.checkEncoding(data)
            try JSONText.checkDepth(data, atMost: ServiceLimits.bodyDepth)
            try JSONText.checkStrings(data)
            if let members = try JSONValue(parsing: data).objectValue { return members }
        } catch let error as JSONSyntaxError {
            throw ImportRefusal(line: line, reason: error.description)
        }
        throw ImportRefusal(line: line, reason: "is no JSON object")
    }

    private mutating func readHeader(_ bytes: [UInt8]) throws {
        let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), 9].map { mark in (mark, bytes.count { $0 == mark }) }
        separator = counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil } ?? separator
        let names = try fields(bytes, 1).map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard names.contains("token") else {
            throw ImportFileError(
                "the first line names no column token; the columns are \(Self.names.joined(separator: ", ")), or is it --format ndjson?"
            )
        }
        if let unknown = names.first(where: { !Self.names.contains($0) }) {
            throw ImportFileError("the first line names a column that \(Self.unknown(unknown))")
        }
        guard Set(names).count == names.count else {
            throw ImportFileError("the first line names a column twice")
        }
        header = names
    }

    static func unknown(_ name: String) -> String {
        let hint = name.nearest(in: names).map { "did you mean \($0)? " } ?? ""
        return
            "is not known here, \"\(name.prefix(DeliveryLimits.quotedKeyCharacters))\"; \(hint)Known are \(names.joined(separator: ", "))"
    }

    /// Parses tags: a JSON list, or words separated by `;` or `|`.
    private static func tags(_ text: String) -> JSONValue {
        if text.hasPrefix("["), let list = try? JSONValue(parsing: text) { return list }
        return .array(
            text.split { $0 == ";" || $0 == "|" }.map { .string($0.trimmingCharacters(in: .whitespaces)) }.filter {
                $0 != ""
            })
    }

    /// Returns the fields of a record, without their quotation marks.
    private func fields(_ bytes: [UInt8], _ line: Int) throws -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var (isQuoted, wasQuoted, index) = (false, false, 0)
        let quote = UInt8(ascii: "\"")
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                if byte != quote {
                    field.append(byte)
                } else if index < bytes.count, bytes[index] == quote {
                    field.append(quote)
                    index += 1
                } else {
                    (isQuoted, wasQuoted) = (false, true)
                }
            } else if byte == separator {
                fields.append(try text(field, line))
                (field, wasQuoted) = ([], false)
            } else if byte == quote, field.isEmpty, !wasQuoted {
                isQuoted = true
            } else if wasQuoted {
                throw ImportRefusal(line: line, reason: "has something behind a closing quotation mark")
            } else {
                field.append(byte)
            }
        }
        guard !isQuoted else { throw ImportRefusal(line: line, reason: "has a quotation mark that is never closed") }
        return fields + [try text(field, line)]
    }

    private func text(_ bytes: [UInt8], _ line: Int) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportRefusal(line: line, reason: "is not UTF-8")
        }
        return text
    }
}
