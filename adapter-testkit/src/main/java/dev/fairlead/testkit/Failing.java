package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Optional;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions on calls that are to fail as ports fail. */
public final class Failing {
    private Failing() {}

    /** The call fails with this failure, and says what to do in a sentence. */
    public static <F extends Failure> void with(Class<F> failure, ThrowingCallable call) {
        assertThatThrownBy(call)
                .as("expected: %s", failure.getSimpleName())
                .isInstanceOfSatisfying(StorageException.class, e -> {
                    assertThat(e.failure()).isInstanceOf(failure);
                    assertThat(e.failure().message()).isNotBlank();
                });
    }

    /** What the call answers, or empty where it fails as ports may fail; anything else goes through. */
    public static <T> Optional<T> orEmpty(Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (StorageException e) {
            assertThat(e.failure().message()).isNotBlank();
            return Optional.empty();
        }
    }

    /** Whether the call works; where it fails, it fails as ports may fail. */
    public static boolean works(Runnable call) {
        return orEmpty(() -> {
                    call.run();
                    return true;
                })
                .orElse(false);
    }

    /** What the call answers, or empty where it refuses with {@code Unsupported}; anything else goes through. */
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
