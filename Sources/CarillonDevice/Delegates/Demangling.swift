import Foundation

/// The demangling of Swift symbols, by the runtime.
enum Demangling {
    static func text(of symbol: String) -> String? {
        guard let text = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

/// Demangles a symbol.
///
/// The function is part of the Swift runtime's stable interface on Linux too, but no header declares it.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
