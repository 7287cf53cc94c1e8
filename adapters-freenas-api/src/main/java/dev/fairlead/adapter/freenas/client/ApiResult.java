package dev.fairlead.adapter.freenas.client;

import com.google.gson.JsonElement;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;

/** A result is what a box says to a call for good; if it does not answer, that is an exception. */
public sealed interface ApiResult {
    /** Returns the value of a call that was done; throws what {@link Refused#failure} makes of one that was refused. */
    JsonElement orThrow();

    /** The box did what it was asked for; {@code value} is what it returned, of a job the job's result. */
    record Done(JsonElement value) implements ApiResult {
        @Override
        public JsonElement orThrow() {
            return value;
        }
    }

    /**
     * The box refused, and says that nothing was done. That is its word: some releases refuse after the effect (see the
     * reference, 03a §17 and §19), so a caller who made something reads back.
     *
     * @param connection the connection's name
     * @param what the call, in words for people, such as {@code pool.dataset.create}
     * @param errno that of the whole refusal; if it lists fields, that of the first field that has one besides EINVAL
     * @param text the box's own words, on one line, without secrets and of bounded length
     * @param fields the fields that are wrong, in the box's order; often empty
     */
    record Refused(String connection, String what, ApiErrno errno, String text, List<FieldError> fields)
            implements ApiResult {
        public Refused {
            fields = List.copyOf(fields);
        }

        /** Says whether the box has no such object, or a refused field says so. */
        public boolean isAbsent() {
            return errno == ApiErrno.ENOENT;
        }

        /**
         * Says whether what the call would make is there already, by errno or, since many releases have no errno for
         * it, by the words "already exists".
         */
        public boolean isThereAlready() {
            return errno == ApiErrno.EEXIST || says("already exists");
        }

        /** Says whether something is in use at this moment, so that the same call may be done later. */
        public boolean isBusy() {
            return errno == ApiErrno.EBUSY || says(" is busy") || says(" is in use");
        }

        /**
         * Says whether the box has no room for it, by errno or, since most calls on datasets have no errno for it, by
         * the words of ZFS and of the box's own rule for volumes.
         */
        public boolean isForWantOfSpace() {
            return errno == ApiErrno.ENOSPC
                    || errno == ApiErrno.EDQUOT
                    || says("out of space")
                    || says("no space")
                    || says("80% of your available space")
                    || says("greater than available space");
        }

        /** Says whether the box's words, or those to one of the fields, have this part, in any case of letters. */
        public boolean says(String part) {
            return ApiFault.contains(text, part)
                    || fields.stream().anyMatch(field -> ApiFault.contains(field.text(), part));
        }

        /**
         * Returns the failure for a caller that has no better one: {@code OutOfSpace} if that is what the box says,
         * {@code StorageReadOnly}, {@code StorageUnfit} for a dataset that is locked, {@code Unsupported} for a method
         * that this release lacks, and otherwise {@code BackendRejected}, each with the box's own words.
         */
        public StorageException failure() {
            return new StorageException(ApiFault.of(this));
        }

        /** Returns the failure for a caller who knows that the dataset is locked, whatever the box's words. */
        public StorageException failureOfLocked(String dataset) {
            return lockedFailure(connection, dataset + " is locked; " + what + ": " + text);
        }

        @Override
        public JsonElement orThrow() {
            throw failure();
        }
    }

    /** Returns the failure of what cannot be done since a dataset is locked. */
    static StorageException lockedFailure(String connection, String detail) {
        return new StorageException(ApiFault.locked(connection, detail));
    }
}
