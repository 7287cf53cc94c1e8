package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonObject;

/** An answer is what the API server says for good; if it does not answer, that is an exception. */
public sealed interface ApiAnswer {
    record Done(JsonObject object) implements ApiAnswer {}

    /**
     * The server does not do what it was asked for.
     *
     * @param reason the API's own word, such as {@code NotFound}; empty if it was not the API that answered
     */
    record Refused(int status, String reason, String message) implements ApiAnswer {
        /** Says whether the object does not exist; a proxy's 404 says nothing about it. */
        public boolean isNotFound() {
            return status == 404 && reason.equals("NotFound");
        }

        /** Says whether another client wrote first. */
        public boolean isConflict() {
            return status == 409 && reason.equals("Conflict");
        }

        /** Says whether the steps of a patch found other things than they were written for. */
        public boolean isOutdated() {
            return isConflict() || status == 422;
        }

        /**
         * Says whether the request itself is refused, such as by a policy or for want of a right: the same request will
         * be refused again until somebody allows it. Who asked too much, too early or with an old token is not meant.
         */
        public boolean isDenied() {
            return switch (status) {
                case 400, 403, 405, 413 -> true;
                default -> false;
            };
        }

        public boolean isThereAlready() {
            return status == 409 && reason.equals("AlreadyExists");
        }
    }
}
