import CarillonCore
import Testing

@Suite struct SeededGeneratorTests {
    @Test("the first numbers are those that SplitMix64's authors publish")
    func known() {
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }

    @Test("what a fork draws does not shift what its parent gets")
    func forks() {
        var (one, other) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
        var (busy, idle) = (one.fork(), other.fork())
        for _ in 0..<10 { _ = busy.next() }
        #expect(one.next() == other.next())
        _ = idle.next()
        #expect(one.next() == other.next())
    }
}
