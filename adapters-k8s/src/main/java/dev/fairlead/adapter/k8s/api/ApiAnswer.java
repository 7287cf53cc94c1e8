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

        public boolean isThereAlready() {
            return status == 409 && reason.equals("AlreadyExists");
        }
    }
}
