package dev.fairlead.application.config;

import java.math.BigDecimal;

/** Parses whole numbers in the forms of YAML 1.2; a leading zero means nothing. */
final class WholeNumber {
    private WholeNumber() {}

    static long parse(String text) {
        String digits = text.replace("_", "");
        try {
            if (digits.startsWith("0x")) {
                return Long.parseLong(digits, 2, digits.length(), 16);
            }
            if (digits.startsWith("0o")) {
                return Long.parseLong(digits, 2, digits.length(), 8);
            }
            if (digits.startsWith("0b")) {
                return Long.parseLong(digits, 2, digits.length(), 2);
            }
            if (digits.length() > 40) {
                throw new NumberFormatException("too long");
            }
            return plain(new BigDecimal(digits));
        } catch (ArithmeticException | IndexOutOfBoundsException | NumberFormatException e) {
            throw new IllegalArgumentException("is not a whole number", e);
        }
    }

    /**
     * Returns the number as a long; refuses huge exponents first, since a short text such as 1e999999999 has a billion
     * digits.
     */
    private static long plain(BigDecimal number) {
        if (Math.abs((long) number.scale()) > 40) {
            throw new ArithmeticException("too large");
        }
        return number.longValueExact();
    }
}
