package dev.fairlead.adapter.local.pool.dataset;

import java.io.IOException;

/** Says that there is no program {@code zfs}, which lasts, unlike other reasons for which it did not run. */
public final class MissingProgramException extends IOException {
    private static final long serialVersionUID = 1L;

    MissingProgramException(String message) {
        super(message);
    }
}
