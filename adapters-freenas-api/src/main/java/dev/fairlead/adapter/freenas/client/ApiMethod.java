package dev.fairlead.adapter.freenas.client;

import java.util.Locale;
import java.util.Optional;

/**
 * A method names what a box is asked to do, whatever the box's release calls it and by whichever transport it is asked.
 * It is either one of the five that every collection of objects has ({@link OnCollection}), or an {@link ApiAction}.
 */
public sealed interface ApiMethod permits ApiMethod.OnCollection, ApiAction {
    /**
     * Returns the name that does not change with the release, such as {@code dataset-create}: the kind of an effect.
     */
    String word();

    /** Says whether it changes nothing. */
    boolean isRead();

    /**
     * Says whether a box may take minutes for it: what makes, copies or destroys datasets and snapshots. To set
     * properties, shares and targets takes moments.
     */
    boolean mayTakeLong();

    /** Says whether it reads or names rows by their numbers. */
    default boolean isOfNumbers() {
        return this instanceof OnCollection(ApiCollection collection, Verb _) && collection.isNumbered();
    }

    /** Says whether the release does it as a job, whose end has to be awaited. */
    boolean isJob(TruenasRelease release);

    /**
     * Returns the name in this release, such as {@code pool.snapshot.create}; empty if the release has no such method.
     */
    Optional<String> name(TruenasRelease release);

    /** Returns the role that allows it from 25.04 on; empty if it needs none. */
    default Optional<String> role() {
        return ApiRoles.of(this);
    }

    /** Lists the methods that every collection of objects has, with their arguments. */
    enum Verb {
        /** Finds objects: {@code [filters, options]}. */
        QUERY,
        /** Reads one object: {@code [id]}; ENOENT if there is none. */
        GET,
        /** Makes an object and returns it: {@code [fields]}. */
        CREATE,
        /** Changes the given fields of an object and returns it: {@code [id, fields]}. */
        UPDATE,
        /** Deletes an object: {@code [id, options]}. */
        DELETE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Names one of the five methods on a collection. */
    record OnCollection(ApiCollection collection, Verb verb) implements ApiMethod {
        @Override
        public String word() {
            return collection.word() + "-" + verb.word();
        }

        @Override
        public boolean isRead() {
            return verb == Verb.QUERY || verb == Verb.GET;
        }

        @Override
        public boolean mayTakeLong() {
            boolean big = collection == ApiCollection.DATASET || collection == ApiCollection.SNAPSHOT;
            return big && (verb == Verb.CREATE || verb == Verb.DELETE);
        }

        @Override
        public boolean isJob(TruenasRelease release) {
            return false;
        }

        @Override
        public Optional<String> name(TruenasRelease release) {
            String method = verb == Verb.GET ? "get_instance" : verb.word();
            return collection.namespace(release).map(namespace -> namespace + "." + method);
        }
    }
}
