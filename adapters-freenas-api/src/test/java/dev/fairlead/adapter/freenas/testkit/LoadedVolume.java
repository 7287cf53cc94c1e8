package dev.fairlead.adapter.freenas.testkit;

import dev.fairlead.domain.attachment.Attachment;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Remembers what a caller was told of one of its volumes: whatever has happened to the box, that is what is there. */
final class LoadedVolume {
    private final String name;
    private final Set<Integer> nodes = new TreeSet<>();
    private final Set<String> snapshots = new TreeSet<>();
    private Optional<Attachment> attachment = Optional.empty();
    private String from = "";
    private long bytes;

    LoadedVolume(String name) {
        this.name = name;
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
}
