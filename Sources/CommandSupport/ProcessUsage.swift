import Foundation

/// The CPU time and memory used by this process.
package struct ProcessUsage: Sendable, Hashable {
    package var userSeconds: Double
    package var systemSeconds: Double
    /// The greatest resident memory since the process started, in bytes.
    package var peakMemoryByteCount: Int

    #if canImport(Glibc)
        /// The constant RUSAGE_SELF, converted to the type of `getrusage`'s parameter; glibc declares the constant with another
        /// type.
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

    /// Returns the CPU time used since `earlier`, and the peak memory since the process started.
    package func since(_ earlier: ProcessUsage) -> ProcessUsage {
        ProcessUsage(
            userSeconds: userSeconds - earlier.userSeconds, systemSeconds: systemSeconds - earlier.systemSeconds,
            peakMemoryByteCount: peakMemoryByteCount)
    }

    /// The process's peak memory in bytes, from `/proc`; `nil` if `/proc` is not available.
    ///
    /// The alternative, `ru_maxrss`, would include the memory that the process used before `exec` replaced its program.
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
