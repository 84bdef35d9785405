import Foundation

/// The CPU time and memory used by this process.
package struct ProcessUsage: Sendable, Hashable {
    package var userSeconds: Double
    package var systemSeconds: Double
    /// The greatest amount of resident memory at any time, in bytes.
    package var peakMemoryByteCount: Int

    #if canImport(Glibc)
        /// The constant RUSAGE_SELF, in the type of `getrusage`'s parameter, because glibc declares the constant with
        /// another type.
        private static let thisProcess: __rusage_who_t = 0
        private static let maximumUnit = 1024
    #else
        private static let thisProcess = RUSAGE_SELF
        private static let maximumUnit = 1
    #endif

    package static func now() -> ProcessUsage {
        var usage = rusage()
        getrusage(thisProcess, &usage)
        return ProcessUsage(
            userSeconds: seconds(usage.ru_utime), systemSeconds: seconds(usage.ru_stime),
            peakMemoryByteCount: peakMemory ?? Int(usage.ru_maxrss) * maximumUnit)
    }

    /// Returns the CPU time since `earlier`, and the peak memory of the whole run.
    package func since(_ earlier: ProcessUsage) -> ProcessUsage {
        ProcessUsage(
            userSeconds: userSeconds - earlier.userSeconds, systemSeconds: systemSeconds - earlier.systemSeconds,
            peakMemoryByteCount: peakMemoryByteCount)
    }

    /// The peak memory from `/proc`; `nil` if it is not available.
    ///
    /// `ru_maxrss` would include the memory of the parent process before `exec`.
    private static var peakMemory: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return nil }
        return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map {
            $0 * 1024
        }
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
