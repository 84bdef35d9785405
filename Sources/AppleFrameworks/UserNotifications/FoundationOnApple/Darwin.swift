import Foundation

/// Calls `body` immediately.
///
/// Differs from iOS: there is no pool, because nothing needs one without Objective-C.
///
/// - Parameter body: called immediately.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// Returns the machine's time, in seconds since 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.now.timeIntervalSinceReferenceDate }

/// Returns the machine's time since it was started, in seconds.
public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }

/// The number of nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
public let NSEC_PER_MSEC: UInt64 = 1_000_000
public let NSEC_PER_USEC: UInt64 = 1_000
public let USEC_PER_SEC: UInt64 = 1_000_000
public let MSEC_PER_SEC: UInt64 = 1_000

/// A time in seconds since 2001.
public typealias CFAbsoluteTime = CFTimeInterval
/// A duration in seconds.
public typealias CFTimeInterval = Double
