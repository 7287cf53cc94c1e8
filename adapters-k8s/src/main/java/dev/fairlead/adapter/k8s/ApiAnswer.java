package dev.fairlead.adapter.k8s;

import com.google.gson.JsonObject;

/** What the API server answered for good; that it did not answer is an exception. */
sealed interface ApiAnswer {
    record Done(JsonObject object) implements ApiAnswer {}

    /**
     * The server did not do it.
     *
     * @param reason the API's own word, such as {@code NotFound}; empty where it was not the API that answered
     */
    record Refused(int status, String reason, String message) implements ApiAnswer {
        /** A proxy's 404 says nothing about the object. */
        boolean isNotFound() {
            return status == 404 && reason.equals("NotFound");
        }

        /** Another wrote first. */
        boolean isConflict() {
            return status == 409 && reason.equals("Conflict");
        }

        /** Steps found other things than they were written for. */
        boolean isOutdated() {
            return isConflict() || status == 422;
        }

        boolean isThereAlready() {
            return status == 409 && reason.equals("AlreadyExists");
        }
    }
}
