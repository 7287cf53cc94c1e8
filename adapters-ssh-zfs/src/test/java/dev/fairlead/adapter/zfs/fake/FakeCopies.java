package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.adapter.zfs.fake.FakeDatasets.Node;
import dev.fairlead.adapter.zfs.fake.FakeDatasets.Refused;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@code zfs send … | zfs receive …} of a pool in memory, as OpenZFS 2.1 was seen to do it: the dataset is there from
 * the first byte on with what {@code -o} gives it, a property that cannot be set is no more than a warning, and a
 * stream that ends too early takes the dataset with it.
 */
final class FakeCopies {
    /** On a dataset that is being received, and on a snapshot that is being sent. */
    static final String BUSY = "busy now";

    static final String INCONSISTENT = "inconsistent";

    /** Set only when all has come. */
    private static final Set<String> LATE = Set.of("refquota", "refreservation");

    private final FakeZfs pool;

    FakeCopies(FakeZfs pool) {
        this.pool = pool;
    }

    /** One that is under way. */
    record Copy(String source, String received, Map<String, String> late) {}

    Copy begin(List<String> words) {
        String source = words.get(words.indexOf("|") - 1);
        Node sent = pool.require(source);
        Deque<String> receive = new ArrayDeque<>(words.subList(words.indexOf("receive") + 1, words.size()));
        if (receive.peek().equals("-u")) {
            receive.pop();
        }
        Map<String, String> options = FakeZfs.options(receive);
        String target = receive.pop();
        // One that is not named has the name that was sent.
        String received = target.contains("@") ? target : target + source.substring(source.indexOf('@'));
        String name = FakeDatasets.above(received);
        if (pool.nodes.containsKey(name)) {
            throw new Refused("cannot receive new filesystem stream: destination '" + name + "' exists\n"
                    + "must specify -F to overwrite it");
        }
        if (!pool.nodes.containsKey(FakeDatasets.above(name))) {
            throw new Refused("cannot open '" + FakeDatasets.above(name) + "': dataset does not exist\n"
                    + "cannot receive new filesystem stream: unable to restore to destination");
        }
        Node made = pool.node(pool.require(FakeDatasets.above(source)).type(), "", new TreeMap<>());
        made.own().put(INCONSISTENT, "1");
        made.own().put(BUSY, "");
        sent.own().put(BUSY, "");
        pool.nodes.put(name, made);
        Map<String, String> late = new TreeMap<>(options);
        late.keySet().retainAll(LATE);
        options.keySet().removeAll(LATE);
        warned(name, options);
        return new Copy(source, received, late);
    }

    void end(Copy copy) {
        String name = FakeDatasets.above(copy.received());
        Node sent = pool.require(copy.source());
        Node made = pool.require(name);
        sent.own().remove(BUSY);
        made.own().remove(BUSY);
        made.own().remove(INCONSISTENT);
        made.files().putAll(sent.files());
        FakeZfs.keepShape(pool.require(FakeDatasets.above(copy.source())), made);
        pool.nodes.put(copy.received(), pool.node("snapshot", "", new TreeMap<>(sent.files()), sent.born()));
        warned(name, copy.late());
    }

    void fail(Copy copy) {
        pool.require(copy.source()).own().remove(BUSY);
        pool.nodes.remove(FakeDatasets.above(copy.received()));
    }

    /** Gives what {@code receive -o} gives: what cannot be set is a warning. */
    void warned(String name, Map<String, String> properties) {
        properties.forEach((key, value) -> {
            try {
                pool.give(name, key, value);
            } catch (Refused e) {
                // a warning, and the next one
            }
        });
    }
}
