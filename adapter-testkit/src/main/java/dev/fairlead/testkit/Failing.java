package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Optional;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks that calls fail as ports may fail: with a {@code StorageException} whose failure has a message. */
public final class Failing {
    private Failing() {}

    /** Checks that the call fails with this failure, and that its message is not blank. */
    public static <F extends Failure> void with(Class<F> failure, ThrowingCallable call) {
        assertThatThrownBy(call)
                .as("expected: %s", failure.getSimpleName())
                .isInstanceOfSatisfying(StorageException.class, e -> {
                    assertThat(e.failure()).isInstanceOf(failure);
                    assertThat(e.failure().message()).isNotBlank();
                });
    }

    /** Returns the failure with which a call fails; anything else that it throws is thrown on. */
    public static Failure failure(Runnable call) {
        try {
            call.run();
        } catch (StorageException e) {
            return e.failure();
        }
        throw new AssertionError("it did not fail");
    }

    /**
     * Returns what the call answers, or empty if it fails with a {@code StorageException}; anything else is thrown on.
     */
    public static <T> Optional<T> orEmpty(Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (StorageException e) {
            assertThat(e.failure().message()).isNotBlank();
            return Optional.empty();
        }
    }

    /**
     * Returns whether the call works: false if it fails with a {@code StorageException}; anything else is thrown on.
     */
    public static boolean works(Runnable call) {
        return orEmpty(() -> {
                    call.run();
                    return true;
                })
                .orElse(false);
    }

    /** Returns what the call answers, or empty if it refuses with {@code Unsupported}; anything else is thrown on. */
    public static <T> Optional<T> unlessUnsupported(Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.Unsupported) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
