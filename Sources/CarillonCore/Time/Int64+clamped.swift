/// Arithmetic on numbers from outside: what is too large for an `Int64` is the largest, what is too small the smallest.
extension Int64 {
    func addedClamped(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other < 0 ? .min : .max) : sum
    }

    func subtractedClamped(_ other: Int64) -> Int64 {
        let (difference, isTooLarge) = subtractingReportingOverflow(other)
        return isTooLarge ? (other > 0 ? .min : .max) : difference
    }

    func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
