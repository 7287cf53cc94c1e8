package dev.fairlead.bootstrap.driver;

import dev.fairlead.domain.attachment.Attachment;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Remembers what a caller was told of one of its volumes: whatever has happened to the box, that is what is there. */
final class LoadedVolume {
    private final String parent;
    private final String name;
    private final Set<Integer> nodes = new TreeSet<>();
    private final Set<String> snapshots = new TreeSet<>();
    private final Set<String> grouped = new TreeSet<>();
    private Optional<Attachment> attachment = Optional.empty();
    private String from = "";
    private long bytes;

    /** @param parent the dataset below which it lies */
    LoadedVolume(String parent, String name) {
        this.parent = parent;
        this.name = name;
    }

    String dataset() {
        return parent + "/" + name;
    }

    /** Returns the snapshot of the box that a handle means. */
    String snapshot(String handle) {
        return handle.replaceFirst("^s:nas", parent);
    }

    String name() {
        return name;
    }

    String handle() {
        return "v:nas/" + name;
    }

    boolean isThere() {
        return attachment.isPresent();
    }

    Optional<Attachment> attachment() {
        return attachment;
    }

    void created(Attachment reached, String source, long size) {
        attachment = Optional.of(reached);
        from = source;
        bytes = size;
    }

    void deleted() {
        attachment = Optional.empty();
        from = "";
        nodes.clear();
    }

    /** Returns the handle of the volume or the snapshot that it was made of, or nothing. */
    String from() {
        return from;
    }

    long bytes() {
        return bytes;
    }

    void grown(long size) {
        bytes = size;
    }

    Set<Integer> nodes() {
        return nodes;
    }

    Set<String> snapshots() {
        return snapshots;
    }

    /** Returns the handles of its snapshots that are of groups, which go with these alone. */
    Set<String> grouped() {
        return grouped;
    }
}
