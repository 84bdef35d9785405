import CarillonCore
import Testing

@testable import CarillonAPNs

@Suite("Values under ids that are used once")
struct SlotTableTests {
    @Test("an id is not negative and finds its value, also after a place has been used two billion times")
    func manyUses() {
        var table = SlotTable<Int>(firstUse: Int(Int32.max) - 1)
        var former: Int?
        for value in 0..<4 {
            let id = table.insert(value)
            #expect(id >= 0 && id != former && table[id] == value && table.ids == [id])
            #expect(table.remove(id) == value && table[id] == nil)
            former = id
        }
    }

    @Test(
        "it does what a dictionary does, and an id of what has gone finds nothing, however often places are used again")
    func random() {
        for seed in UInt64(1)...20 {
            var generator = SeededGenerator(seed: seed)
            var table = SlotTable<Int>()
            var model: [Int: Int] = [:]
            var gone: [Int] = []
            for step in 0..<500 {
                if Int.random(in: 0..<5, using: &generator) < 3 {
                    let id = table.insert(step)
                    #expect(model.updateValue(step, forKey: id) == nil && !gone.contains(id), "seed \(seed)")
                } else if let id = model.keys.sorted().randomElement(using: &generator) {
                    table[id]? += 1
                    #expect(table.remove(id) == (model.removeValue(forKey: id) ?? 0) + 1, "seed \(seed)")
                    gone.append(id)
                }
                if let id = gone.randomElement(using: &generator) {
                    table[id]? = 0
                    #expect(table[id] == nil && table.remove(id) == nil, "seed \(seed)")
                }
                #expect(table.count == model.count && Set(table.ids) == Set(model.keys), "seed \(seed)")
            }
            for (id, value) in model { #expect(table[id] == value, "seed \(seed)") }
        }
    }
}
