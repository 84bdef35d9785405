import Foundation

// `CarillonFuzz NAME [libFuzzer's options and folders]`: libFuzzer feeds the harness of that name.

/// libFuzzer's own entry, which its linker option brings along
/// ([libFuzzer](https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library)).
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The linker wants it beside the driver. What is fuzzed is said by the driver's last argument.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt { feed(bytes, count) }

/// The harness that the first argument names.
let chosen = Harness.all.first { CommandLine.arguments.dropFirst().first == $0.name }

/// Stops the program: libFuzzer takes the trap for a finding and keeps the input.
func claimFailed(_ claim: String) {
    print("does not hold: \(claim)")
    abort()
}

func feed(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

guard chosen != nil else {
    print(Harness.all.map(\.name).joined(separator: "\n"))
    exit(CommandLine.arguments.count > 1 ? 64 : 0)
}
// The name is for us, the rest for libFuzzer.
var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.enumerated()
    .filter { $0.offset != 1 }.map { strdup($0.element) }
arguments.append(nil)
var count = CInt(arguments.count - 1)
let status = arguments.withUnsafeMutableBufferPointer { buffer in
    var base = buffer.baseAddress
    return runDriver(&count, &base) { feed($0, $1) }
}
exit(status)
