package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.SteppingClock;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Keeps a node's journal in memory, where it outlives the use cases over it. */
public final class FakeJournal implements StageJournal {
    private final Map<String, Entry> entries = new TreeMap<>();
    private final Map<String, Instant> written = new TreeMap<>();
    private final Set<String> unreadable = new TreeSet<>();
    private final InstantSource clock;
    private boolean full;

    public FakeJournal() {
        this(SteppingClock.standing());
    }

    /** @param clock tells when an entry is written */
    public FakeJournal(InstantSource clock) {
        this.clock = clock;
    }

    /** Takes no entry any more, as on a disk that is full. */
    public synchronized void fill() {
        full = true;
    }

    public synchronized void makeRoom() {
        full = false;
    }

    /** Spoils the entry of a volume. */
    public synchronized void spoil(String handle) {
        unreadable.add(handle);
    }

    /** Notes a volume as staging does that has attached it as a raw device. */
    public void stage(String handle, Attachment volume, Map<String, String> facts) {
        put(new Entry(handle, Path.of("/staging", handle), volume, true, facts, Optional.empty()));
    }

    @Override
    public void write(Entry entry, Work work) {
        work.effect(new Effect("journal", entry.handle()), () -> put(entry));
    }

    private synchronized void put(Entry entry) {
        if (full) {
            throw new StorageException(new Failure.NodeDiskUnusable(
                    "writing the entry of " + entry.handle(), "/var/lib/fairlead", "no space left", "make room"));
        }
        entries.put(entry.handle(), entry);
        written.put(entry.handle(), clock.instant());
    }

    @Override
    public synchronized Optional<Entry> of(String handle) {
        if (unreadable.contains(handle)) {
            throw new StorageException(new Failure.NodeFault("reading the entry of " + handle, "it is cut off"));
        }
        return Optional.ofNullable(entries.get(handle));
    }

    @Override
    public synchronized Inventory inventory() {
        return new Inventory(
                all(),
                unreadable.stream()
                        .map(it -> new Unreadable("the entry of " + it, "it is cut off"))
                        .toList());
    }

    @Override
    public synchronized Optional<Instant> written(String handle) {
        return Optional.ofNullable(written.get(handle));
    }

    /** Returns the entries that can be read. */
    public synchronized List<Entry> all() {
        return entries.values().stream()
                .filter(it -> !unreadable.contains(it.handle()))
                .toList();
    }

    @Override
    public void remove(String handle, Work work) {
        if (of(handle).isPresent()) {
            work.effect(new Effect("journal", handle), () -> drop(handle));
        }
    }

    private synchronized void drop(String handle) {
        entries.remove(handle);
        written.remove(handle);
    }

    /** Returns the entries, one line each. */
    public synchronized String dump() {
        StringBuilder text = new StringBuilder();
        entries.values().forEach(entry -> text.append("journal ").append(entry).append('\n'));
        return text.toString();
    }
}
