package dev.fairlead.adapter.freenas.client;

import dev.fairlead.domain.failure.Failure;
import java.util.Locale;

/** Makes a failure of what a box refused, for callers that have no better one. */
final class ApiFault {
    private ApiFault() {}

    static Failure of(ApiResult.Refused refused) {
        String detail = refused.what() + ": " + refused.text();
        if (isOfLocked(refused)) {
            return locked(refused.connection(), detail);
        }
        if (isOfReadOnly(refused)) {
            return new Failure.StorageReadOnly(refused.connection(), detail);
        }
        if (refused.isForWantOfSpace()) {
            return new Failure.OutOfSpace(refused.connection(), detail);
        }
        return switch (refused.errno()) {
            case ENOMETHOD ->
                new Failure.Unsupported(
                        "connection " + refused.connection() + " has no " + detail, "its release of TrueNAS lacks it");
            default -> new Failure.BackendRejected(refused.connection(), detail);
        };
    }

    static Failure locked(String connection, String detail) {
        return new Failure.StorageUnfit(
                connection,
                detail,
                "unlock the encrypted dataset on the box (Datasets, the dataset, ZFS Encryption, Unlock); the call is"
                        + " repeated then and goes on");
    }

    /** Says whether a dataset is locked: boxes have a number for that, and use it for few calls. */
    private static boolean isOfLocked(ApiResult.Refused refused) {
        return refused.errno() == ApiErrno.EDATASETISLOCKED
                || refused.says("must be unlocked to")
                || refused.says("encrypted and locked");
    }

    /** Says whether a dataset or pool is read-only: what the box finds itself it refuses by another number. */
    private static boolean isOfReadOnly(ApiResult.Refused refused) {
        return refused.errno() == ApiErrno.EROFS
                || refused.says("has the readonly property enabled")
                || refused.says("read-only file system")
                || refused.says("pool is read-only");
    }

    static boolean contains(String text, String part) {
        return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
