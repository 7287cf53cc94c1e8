package dev.fairlead.adapter.freenas.client;

import dev.fairlead.domain.failure.Failure;
import java.util.Locale;

/** Makes a failure of what a box refused, for callers that have no better one. */
final class ApiFault {
    private ApiFault() {}

    static Failure of(ApiResult.Refused refused) {
        String detail = refused.what() + ": " + refused.text();
        if (refused.isForWantOfSpace()) {
            return new Failure.OutOfSpace(refused.connection(), detail);
        }
        return switch (refused.errno()) {
            case EROFS -> new Failure.StorageReadOnly(refused.connection(), detail);
            case ENOMETHOD ->
                new Failure.Unsupported(
                        "connection " + refused.connection() + " has no " + detail, "its release of TrueNAS lacks it");
            default -> new Failure.BackendRejected(refused.connection(), detail);
        };
    }

    static boolean contains(String text, String part) {
        return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
