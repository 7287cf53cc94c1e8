package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps a node's journal in memory, where it outlives the use cases over it. */
public final class FakeJournal implements StageJournal {
    private final Map<String, Entry> entries = new TreeMap<>();

    @Override
    public void write(Entry entry, Work work) {
        work.effect(new Effect("journal", entry.handle()), () -> put(entry));
    }

    private synchronized void put(Entry entry) {
        entries.put(entry.handle(), entry);
    }

    @Override
    public synchronized Optional<Entry> of(String handle) {
        return Optional.ofNullable(entries.get(handle));
    }

    @Override
    public synchronized List<Entry> all() {
        return List.copyOf(entries.values());
    }

    @Override
    public void remove(String handle, Work work) {
        if (of(handle).isPresent()) {
            work.effect(new Effect("journal", handle), () -> drop(handle));
        }
    }

    private synchronized void drop(String handle) {
        entries.remove(handle);
    }

    /** Returns the entries, one line each. */
    public synchronized String dump() {
        StringBuilder text = new StringBuilder();
        entries.values().forEach(entry -> text.append("journal ").append(entry).append('\n'));
        return text.toString();
    }
}
