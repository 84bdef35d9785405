import CarillonCore
import CommandSupport

/// The report of `carillon check-sender` as one HTML page, which needs no other file and no script.
struct SenderReportPage {
    /// The sender's program and arguments.
    let command: [String]
    /// The verdicts in the order in which their situations were played.
    let verdicts: [SenderVerdict]
    /// The time at which the sender was checked.
    let date: Timestamp

    var text: String {
        let played = verdicts.filter(\.isPlayed)
        let rest = verdicts.count - played.count
        let title = "\(played.count(where: \.isGood)) of \(played.count) situations handled"
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(title): \(Self.escaped(command.joined(separator: " ")))</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1>\(title)</h1>
            <p><code>\(Self.escaped(command.joined(separator: " ")))</code></p>
            <p>Checked by carillon check-sender \(CommandVersion.text) on \(date.description.prefix(10)), \
            against a simulated APNs.\(rest > 0 ? " \(rest) not played." : "")</p>
            <table>
            <thead><tr><th>Verdict</th><th>Situation</th><th>Asked of a sender</th><th>What the sender did</th></tr></thead>
            <tbody>
            \(verdicts.map(Self.row).joined(separator: "\n"))
            </tbody>
            </table>
            </body>
            </html>

            """
    }

    private static func row(_ verdict: SenderVerdict) -> String {
        let (kind, word) =
            !verdict.isPlayed
            ? ("unplayed", "– not played") : verdict.isGood ? ("good", "✔ handled") : ("bad", "✘ fault")
        let situation = verdict.situation
        let findings = verdict.findings.map { "<li>\(escaped($0))</li>" }.joined()
        return """
            <tr class="\(kind)"><td>\(word)</td>\
            <td>\(escaped(situation.story))<br><code>\(escaped(situation.name))</code></td>\
            <td>\(escaped(situation.demand))<br><a href="\(escaped(situation.source))">\(escaped(situation.sourceName))</a></td>\
            <td>\(findings.isEmpty ? "" : "<ul>\(findings)</ul>")\(escaped(verdict.observation?.account ?? ""))</td></tr>
            """
    }

    /// Returns a text for the content of an element or for an attribute in quotes.
    private static func escaped(_ text: String) -> String {
        let names: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        return text.map { names[$0] ?? String($0) }.joined()
    }

    private static let style = """
        :root { --ink: #1d1d1f; --paper: #fff; --line: #d2d2d7; --good: #1a7f37; --bad: #c4151c; --weak: #6e6e73; --link: #0066cc; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #f5f5f7; --paper: #1d1d1f; --line: #424245; --good: #4cc76a; --bad: #ff7b72; --weak: #a1a1a6; --link: #4da3ff; }
        }
        body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin-bottom: .25rem; }
        code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere; }
        td code { color: var(--weak); }
        a { color: var(--link); }
        table { border-collapse: collapse; width: 100%; }
        th, td { border-bottom: 1px solid var(--line); padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; }
        td:first-child { white-space: nowrap; font-weight: 600; }
        .good td:first-child { color: var(--good); }
        .bad td:first-child, .bad li { color: var(--bad); }
        .unplayed td:first-child { color: var(--weak); }
        ul { margin: 0; padding-left: 1.1em; }
        @media (max-width: 45rem) {
          thead { display: none; }
          tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
          td { display: block; border: 0; padding: .1rem 0; }
        }
        @media print {
          :root { --ink: #000; --paper: #fff; --line: #999; --good: #000; --bad: #000; --weak: #444; --link: #000; }
          body { margin: 0; max-width: none; font-size: 9pt; }
          thead { display: table-header-group; }
          tr { break-inside: avoid; }
          a::after { content: " (" attr(href) ")"; overflow-wrap: anywhere; font-size: 7pt; }
        }
        """
}

extension SenderSituation {
    /// The page of ``source`` by its name, such as `RFC 9113, section 8.7`.
    fileprivate var sourceName: String {
        let page = source.split(separator: "/").last.map(String.init) ?? source
        guard page.hasPrefix("rfc") else {
            return "Apple: " + page.replacing("-", with: " ").replacing("apns", with: "APNs")
        }
        return page.replacing("rfc", with: "RFC ").replacing("#section-", with: ", section ")
    }
}
