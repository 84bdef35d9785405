import Foundation

/// The rules for the words of comments and pages.
///
/// A text that breaks one of them nearly always needs a second reading. It lacks a head noun, or a sentence is too long.
enum WordRules {
    /// A fault in a comment or on a page.
    struct Finding {
        let path: String
        let line: Int
        /// The paragraph with the fault.
        let text: String
        let fault: String

        var words: String { "\(path):\(line): \(fault)" }
    }

    /// A paragraph or an item of a list, with the number of its first line.
    struct Paragraph {
        var line: Int
        var text: String
    }

    /// Consecutive comment lines, without their slashes.
    struct Comment {
        var line: Int
        var isDocumentation: Bool
        var lines: [String]
    }

    /// The greatest number of words in a sentence.
    static let sentenceWordLimit = 35

    // MARK: Files

    /// Returns the faults in a Swift file's comments.
    static func findings(inComments file: SourceTree.File) -> [Finding] {
        comments(in: file.lines).flatMap { comment in
            let paragraphs = paragraphs(in: comment.lines, from: comment.line)
            var findings = faults(in: paragraphs, path: file.path)
            if comment.isDocumentation, let first = paragraphs.first, let word = headlessBeginning(of: first.text) {
                findings.append(Finding(path: file.path, line: first.line, text: first.text, fault: beginning(word)))
            }
            return findings
        }
    }

    /// Returns the faults in a page's text, without its tables and samples.
    static func findings(inPage file: SourceTree.File) -> [Finding] {
        faults(in: paragraphs(in: file.lines, from: 1), path: file.path)
    }

    /// Returns the comments in a Swift file.
    ///
    /// Slashes in a multi-line string literal do not begin a comment.
    static func comments(in lines: [String]) -> [Comment] {
        var comments: [Comment] = []
        var (isInText, isContinued) = (false, false)
        for (index, line) in lines.enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            let isComment = !isInText && trimmed.hasPrefix("//")
            if !isComment, (line.components(separatedBy: "\"\"\"").count - 1) % 2 == 1 { isInText.toggle() }
            guard isComment else {
                isContinued = false
                continue
            }
            let isDocumentation = trimmed.hasPrefix("///")
            let text = String(trimmed.drop { $0 == "/" })
            if isContinued, let last = comments.indices.last, comments[last].isDocumentation == isDocumentation {
                comments[last].lines.append(text)
            } else {
                comments.append(Comment(line: index + 1, isDocumentation: isDocumentation, lines: [text]))
            }
            isContinued = true
        }
        return comments
    }

    // MARK: Paragraphs

    /// Returns the paragraphs and list items of a Markdown text, without tables, headings, samples and markup.
    static func paragraphs(in lines: [String], from first: Int) -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        var (isSample, isContinued) = (false, false)
        for (index, line) in lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("```") {
                isSample.toggle()
                isContinued = false
            } else if isSample || text.isEmpty || notText.contains(where: text.hasPrefix) {
                isContinued = false
            } else if let item = item(text) {
                paragraphs.append(Paragraph(line: first + index, text: item))
                isContinued = true
            } else if isContinued, let last = paragraphs.indices.last {
                paragraphs[last].text += " \(text)"
            } else {
                paragraphs.append(Paragraph(line: first + index, text: text))
                isContinued = true
            }
        }
        return paragraphs
    }

    /// The beginnings of lines without sentences: tables, headings, markup, and marks in code.
    private static let notText = ["|", "#", "<", "MARK:"]

    /// Returns the text of a list item or a quotation without its bullet; `nil` for another line.
    private static func item(_ line: String) -> String? {
        guard let bullet = line.prefixMatch(of: /(?:[-*+>]|[0-9]+\.) +/) else { return nil }
        return String(line[bullet.range.upperBound...])
    }

    // MARK: Rules

    private static func faults(in paragraphs: [Paragraph], path: String) -> [Finding] {
        paragraphs.flatMap { paragraph in
            faults(in: paragraph.text).map {
                Finding(path: path, line: paragraph.line, text: paragraph.text, fault: $0)
            }
        }
    }

    /// Returns the faults in a paragraph: banned words and long sentences.
    static func faults(in paragraph: String) -> [String] {
        let words = plain(paragraph).split(separator: " ").map(String.init)
        return banned(in: words) + longSentences(in: words)
    }

    /// Returns the headless word at a comment's beginning; `nil` if it begins with a noun or a verb.
    static func headlessBeginning(of paragraph: String) -> String? {
        headless.first { paragraph == $0 || paragraph.hasPrefix("\($0) ") }
    }

    private static let headless = [
        "What", "Whatever", "Who", "Whoever", "Whose", "Which", "Whichever", "How", "Where", "The same", "That of",
        "Those of",
    ]

    private static func beginning(_ word: String) -> String {
        "begins with \"\(word)\": say what the function does, or name the thing by a noun of the field"
    }

    private static func banned(in words: [String]) -> [String] {
        let lower = words.map { $0.lowercased() }
        var faults: [String] = []
        for (index, word) in lower.enumerated().dropFirst() {
            let bare = word.trimmingCharacters(in: .punctuationCharacters)
            let before = lower[index - 1].trimmingCharacters(in: .punctuationCharacters)
            if before == "of", bare == "which" { faults.append("\"of which\": begin another sentence, with the noun") }
            guard before == "the", bare == "same" else { continue }
            let next = index + 1 < lower.count ? lower[index + 1].trimmingCharacters(in: .punctuationCharacters) : nil
            if word.last?.isPunctuation == true || next.map(afterNoun.contains) ?? true {
                faults.append("\"the same\" as a noun: repeat the noun")
            }
        }
        for (index, word) in lower.enumerated().dropFirst(2)
        where word.hasPrefix("time") && lower[index - 1] == "which" && lower[index - 2] == "in" {
            faults.append("\"in which time\": say \"meanwhile\", or begin another sentence")
        }
        return faults
    }

    /// The words after "the same" as a noun. Before other words, it is an adjective.
    private static let afterNoun: Set<String> = [
        "again", "as", "at", "by", "for", "from", "here", "in", "is", "of", "on", "there", "to", "too", "when", "where",
        "with",
    ]

    private static func longSentences(in words: [String]) -> [String] {
        var faults: [String] = []
        var (count, opening) = (0, "")
        for (index, word) in words.enumerated() {
            if count < 6 { opening += opening.isEmpty ? word : " \(word)" }
            if word.contains(where: { $0.isLetter || $0.isNumber }) { count += 1 }
            guard index == words.count - 1 || endsSentence(word, before: words[index + 1]) else { continue }
            if count > sentenceWordLimit {
                faults.append("\(count) words in the sentence \"\(opening) …\": at most \(sentenceWordLimit)")
            }
            (count, opening) = (0, "")
        }
        return faults
    }

    /// Returns whether a sentence ends after a word, by its last mark and by the word that follows.
    private static func endsSentence(_ word: String, before next: String) -> Bool {
        let end = word.trimmingCharacters(in: CharacterSet(charactersIn: "\"”’)]*_"))
        guard let mark = end.last, ".!?".contains(mark), !["e.g.", "i.e.", "etc."].contains(end) else { return false }
        guard let first = next.first(where: { !"\"“(*_[".contains($0) }) else { return false }
        return first.isUppercase || first.isNumber
    }

    /// Returns a paragraph with a single word in place of each code span, quotation and link.
    private static func plain(_ paragraph: String) -> String {
        guard paragraph.contains(where: { "`[\"".contains($0) }) else { return paragraph }
        return paragraph.replacing(/`+[^`]*`+/, with: "X")
            .replacing(/!?\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
            .replacing(/"[^"]*"/, with: "X")
    }
}
