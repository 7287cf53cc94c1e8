package dev.fairlead.testkit.model;

import java.util.Optional;

/**
 * Holds what a call answered.
 *
 * @param value present if the code is OK
 * @param message what a failure says; empty if the code is OK
 */
public record Answer<T>(Code code, Optional<T> value, String message) {
    public static <T> Answer<T> ok(T value) {
        return new Answer<>(Code.OK, Optional.of(value), "");
    }

    public static <T> Answer<T> failed(Code code, String message) {
        return new Answer<>(code, Optional.empty(), message);
    }
}
