package dev.fairlead.domain.failure;

import org.jspecify.annotations.Nullable;

/** Carries a {@link Failure} to the caller; it is the only exception that ports throw. */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    public StorageException(Failure failure) {
        this(failure, null);
    }

    /** Creates an exception with the library's exception that caused the failure; the cause is logged, never sent. */
    public StorageException(Failure failure, @Nullable Throwable cause) {
        super(failure.code() + " " + failure.message(), cause);
        this.failure = failure;
    }

    public Failure failure() {
        return failure;
    }
}
