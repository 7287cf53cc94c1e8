package dev.fairlead.adapter.local.pool.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes, reads and destroys datasets of ZFS by their full names. */
public interface Datasets {
    /** Returns the dataset that is mounted where a folder lies; empty if another file system is. */
    Optional<String> of(Path folder) throws IOException;

    /** Returns the number that a dataset has from when it is made until it is destroyed; empty if there is none. */
    Optional<String> guid(String dataset) throws IOException;

    /** Returns the state of a dataset; empty if there is none. */
    Optional<DatasetState> find(String dataset) throws IOException;

    /** Returns the states of a dataset and of those directly below it. */
    Map<String, DatasetState> at(String parent) throws IOException;

    /**
     * Makes an empty dataset, which nothing mounts by itself.
     *
     * @param owner what {@link DatasetState#owner} is to be
     */
    void create(String dataset, String owner) throws IOException;

    /** Takes snapshots of several datasets at one instant, all of them or none. */
    void snapshot(List<String> snapshots) throws IOException;

    /** Makes a dataset, which nothing mounts by itself, with what a snapshot holds. */
    void clone(String snapshot, String dataset, String owner) throws IOException;

    /** Notes whose a dataset is. */
    void own(String dataset, String owner) throws IOException;

    /** Destroys a snapshot, at once or with the last of its clones; does nothing if there is none. */
    void release(String snapshot) throws IOException;

    /** Destroys all snapshots of a dataset, each at once or with the last of its clones. */
    void releaseAll(String dataset) throws IOException;

    /** Returns whether a snapshot is gone, or goes with the last of its clones. */
    boolean isReleased(String snapshot) throws IOException;

    /**
     * Limits what a dataset refers to; its snapshots do not count.
     *
     * @param bytes 0 for no limit
     */
    void limit(String dataset, long bytes) throws IOException;

    /** Protects a dataset from being changed. */
    void protect(String dataset) throws IOException;

    /** Returns a clone of the newest snapshot of a dataset that has one; empty if none of its snapshots has any. */
    Optional<String> clone(String dataset) throws IOException;

    /** Turns a clone into the owner of the snapshots that it and its origin share. */
    void promote(String clone) throws IOException;

    /** Destroys a dataset that has neither snapshots nor anything below it; what others have made there stops it. */
    void destroy(String dataset) throws IOException;

    /**
     * Tells what ZFS says of a dataset, in bytes.
     *
     * @param limit what it may refer to at most; 0 if there is no limit
     * @param referenced what it refers to, shared or not
     * @param used what it, all below it and its snapshots occupy
     * @param available what can be written to it and all below it
     * @param writable whether it can be changed
     * @param mounted whether it is mounted anywhere that the program sees
     * @param owner what it says of whose it is, see {@link VolumeDataset#owner}; another text if it is nobody's
     */
    record DatasetState(
            long limit, long referenced, long used, long available, boolean writable, boolean mounted, String owner) {}
}
