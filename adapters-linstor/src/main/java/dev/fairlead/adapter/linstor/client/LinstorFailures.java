package dev.fairlead.adapter.linstor.client;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpFailures;

/** Describes what went wrong with a controller in words that say what to do. */
final class LinstorFailures implements HttpFailures {
    static final String NAME = "linstor";

    static StorageException refused(String what, LinstorAnswer.Refused refused) {
        String detail = what + ": status " + refused.status() + ", " + refused.words();
        return new StorageException(
                switch (refused.status()) {
                    case 401, 403 -> new Failure.CredentialWrong(NAME, detail);
                    default -> new Failure.BackendRejected(NAME, detail);
                });
    }

    @Override
    public Failure unavailable(String what, String detail) {
        return new Failure.BackendUnavailable(NAME, what + ": " + detail);
    }

    @Override
    public Failure unintelligible(String what, String detail) {
        return new Failure.Unintelligible(NAME, what + ": " + detail);
    }

    @Override
    public Failure unusable(Part part, String detail) {
        String variable = switch (part) {
            case ADDRESS -> "LS_CONTROLLERS";
            case CREDENTIAL -> "LS_BEARER_TOKEN_FILE";
            case ROOTS -> "LS_ROOT_CA or LS_ROOT_CA_FILE";
            case CLIENT_CERTIFICATE -> "LS_USER_CERTIFICATE, LS_USER_KEY or their files";
        };
        return new Failure.NodeFault("reading " + variable, detail);
    }
}
