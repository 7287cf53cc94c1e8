package dev.fairlead.adapter.freenas.export;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;

/**
 * Says as a failure's cause that the box disliked fields of a row, and has done nothing. A box that fails after it has
 * written the row, as its service loads it, names no field.
 */
public final class RefusedFieldsException extends Exception {
    private static final long serialVersionUID = 1L;

    private RefusedFieldsException(String text) {
        super(text);
    }

    /** Returns the failure of a change of a row that was refused. */
    public static StorageException failure(ApiResult.Refused refused) {
        Failure failure = refused.failure().failure();
        return refused.fields().isEmpty() || !(failure instanceof Failure.BackendRejected)
                ? new StorageException(failure)
                : new StorageException(failure, new RefusedFieldsException(refused.text()));
    }
}
