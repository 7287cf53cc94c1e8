package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * Keeps nodes that share a base folder from making one thing twice; does nothing for a base that one node has alone.
 */
public interface NodeClaims {
    NodeClaims NONE = new NodeClaims() {};

    /** Returns the claims of a base, if several nodes share it. */
    static NodeClaims of(
            BaseFolderLayout layout,
            CreationsInProgress creations,
            InstantSource clock,
            Alarm alarm,
            Executor background,
            DirectoryFailures failures) {
        return layout.node()
                .<NodeClaims>map(
                        places -> new SharedClaims(layout, places, creations, clock, alarm, background, failures))
                .orElse(NONE);
    }

    /** Returns whether what exists is changed under a claim too, since other nodes might change it. */
    default boolean areNeeded() {
        return false;
    }

    /** Shows other nodes that this one is at work. */
    default void seen() {}

    /**
     * Shows the same before something is changed, throws if another process of this node does its work, and takes over
     * what nodes that are gone have left unfinished.
     */
    default void begin(Trash trash, Work work) throws IOException {}

    /**
     * Claims an id for something that is to be made; throws if another node is making it. What a node that is gone has
     * made of it goes to the trash.
     */
    default void take(RecordedFolders folders, String id, Trash trash, Work work) throws IOException {}

    /** Returns whether what has this id is this node's to make. */
    default boolean holds(RecordedFolders folders, String id) throws IOException {
        return true;
    }

    /** Throws if another node has taken over what this one makes. */
    default void check(RecordedFolders folders, String id) throws IOException {}

    /** Gives back a claim; one that could not be given back is removed later. */
    default void release(RecordedFolders folders, String id, Work work) {}

    /** Throws if another node is making something with this id; else the same as to claim it, without a claim. */
    default void refuseOthers(RecordedFolders folders, String id, Trash trash, Work work) throws IOException {}
}
