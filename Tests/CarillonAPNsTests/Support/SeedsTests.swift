import TestSupport
import Testing

@Suite("The seeds of random runs") struct SeedsTests {
    private static func seeds(_ environment: [String: String] = [:], variable: String = "CARILLON_SEED") -> Seeds {
        Seeds(fixed: 1...3, drawn: 4, filter: "SeedsTests", variable: variable, environment: environment)
    }

    @Test("are the fixed ones, and others in each run")
    func drawn() {
        let (one, other) = (Self.seeds(), Self.seeds())
        #expect(one.all.prefix(3) == [1, 2, 3] && Set(one.all).count == 7)
        #expect(other.all.prefix(3) == [1, 2, 3] && Set(other.all).count == 7)
        #expect(Set(one.all) != Set(other.all))
        #expect(!one.areAskedFor)
    }

    @Test(
        "are those that are asked for, and no others",
        arguments: [
            ("77", [77]), ("2-4", [2, 3, 4]), ("5,9-10,1", [5, 9, 10, 1]), ("x,4-2,1-2-3,8", [8]),
        ] as [(String, [UInt64])])
    func askedFor(text: String, expected: [UInt64]) {
        let seeds = Self.seeds(["CARILLON_SEED": text])
        #expect(seeds.all == expected && seeds.areAskedFor)
        #expect(Self.seeds(["CARILLON_SEED": seeds.text]).all == expected, "they go to another process as a text")
        #expect(Self.seeds(["SEED": text, "CARILLON_SEED": "1"], variable: "SEED").all == expected)
    }

    @Test("may be many more, from 1 on")
    func many() {
        #expect(Self.seeds(["CARILLON_SEEDS": "1000"]).all == Array(1...1000))
    }

    @Test("a failure names the seed and the command that repeats it")
    func again() {
        #expect(
            Self.seeds(variable: "SEED").again(48_210)
                == "seed 48210. Repeat it: SEED=48210 swift test --filter SeedsTests")
    }
}
