extension FixedWidthInteger where Self: SignedInteger {
    /// The quotient rounded towards negative infinity. `divisor` must be positive.
    func flooredQuotient(_ divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// What ``flooredQuotient(_:)`` leaves, in `0..<divisor`. `divisor` must be positive.
    func flooredRemainder(_ divisor: Self) -> Self {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
