import Testing

@testable import CarillonAPNs

@Suite("The ranges of a client's limits") struct LimitRangeTests {
    private static func refusal(_ change: (inout APNsLimits) -> Void) -> APNsError.Code? {
        var limits = APNsLimits()
        change(&limits)
        do throws(APNsError) {
            try limits.check()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a count is 1 or more")
    func counts() {
        let counts: [WritableKeyPath<APNsLimits, Int>] = [\.connections, \.suspendedSends, \.streamsPerConnection]
        for count in counts {
            #expect(Self.refusal { $0[keyPath: count] = 1 } == nil, "\(count)")
            #expect(Self.refusal { $0[keyPath: count] = 0 } == .invalidConfiguration, "\(count)")
        }
    }

    @Test("attempts to connect in a minute are 2 or more")
    func connects() {
        #expect(Self.refusal { $0.connectsPerMinute = 2 } == nil)
        #expect(Self.refusal { $0.connectsPerMinute = 1 } == .invalidConfiguration)
    }

    @Test("resends are 0 or more")
    func resends() {
        #expect(Self.refusal { $0.resends = 0 } == nil)
        #expect(Self.refusal { $0.resends = -1 } == .invalidConfiguration)
    }

    @Test("a duration is longer than nothing and at most a year")
    func durations() {
        let durations: [WritableKeyPath<APNsLimits, Duration>] = [
            \.shutdownGrace, \.connectTimeout, \.shortestBackoff, \.longestBackoff, \.silenceBeforePing, \.pingTimeout,
            \.idlePing, \.idleBeforeClose, \.congestionBeforeGrowth,
        ]
        let (least, year) = (Duration.nanoseconds(1), Duration.seconds(365 * 86_400))
        for duration in durations {
            for allowed in [least, year] {
                #expect(Self.refusal { $0[keyPath: duration] = allowed } == nil, "\(duration) \(allowed)")
            }
            for refused in [Duration.zero, .zero - least, year + least] {
                #expect(
                    Self.refusal { $0[keyPath: duration] = refused } == .invalidConfiguration, "\(duration) \(refused)")
            }
        }
    }
}
