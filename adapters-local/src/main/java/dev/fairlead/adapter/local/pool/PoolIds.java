package dev.fairlead.adapter.local.pool;

import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes the ids of one pool: {@code <pool>/<id>}, in which the pool's own store knows {@code <id>}. The pool
 * {@code legacy} has ids without a pool, as the volumes of the pool that a class without {@code storagePool} means.
 *
 * @param prefix what comes before the pool's own ids; empty for the pool {@code legacy}
 */
record PoolIds(String prefix) {
    /** The form of ids of volumes and snapshots, as a pool's store knows them. */
    private static final Pattern INNER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_:.+=&-]*");

    /** The least bytes of an id of the pool's store, however long the pool's name is. */
    private static final int LEAST = 32;

    static PoolIds of(String pool) {
        return new PoolIds(pool.equals(PoolReader.DEFAULT) ? "" : pool + "/");
    }

    /** Returns the pool that an id must be of by its form, whether it exists or not; empty if it can be of none. */
    static Optional<String> pool(NativeId id) {
        int slash = id.value().indexOf('/');
        String pool = slash < 0 ? PoolReader.DEFAULT : id.value().substring(0, slash);
        return INNER.matcher(id.value().substring(slash + 1)).matches() && of(pool).has(id) && PoolReader.isName(pool)
                ? Optional.of(pool)
                : Optional.empty();
    }

    /** Returns whether an id can be of this pool. */
    boolean has(NativeId id) {
        return prefix.isEmpty() ? id.value().indexOf('/') < 0 : id.value().startsWith(prefix);
    }

    /** Returns the id as the pool's store knows it; empty if it is of another pool, or of none. */
    Optional<NativeId> inner(NativeId id) {
        return has(id) ? NativeId.read(id.value().substring(prefix.length())) : Optional.empty();
    }

    NativeId outer(NativeId inner) {
        return new NativeId(prefix + inner.value());
    }

    /**
     * Returns the id by which the pool's store knows content that another program made: one slash before an id without
     * the pool, two before one with it, so that it is told as it was asked for.
     */
    NativeId elsewhere(NativeId id) {
        return new NativeId(
                !prefix.isEmpty() && has(id) ? "//" + id.value().substring(prefix.length()) : "/" + id.value());
    }

    private NativeId outerSource(NativeId inner) {
        String text = inner.value();
        if (text.startsWith("//")) {
            return new NativeId(prefix + text.substring(2));
        }
        return text.startsWith("/") ? new NativeId(text.substring(1)) : outer(inner);
    }

    /** Returns the longest id that the pool's store may give, so that outer ones have no more than so many bytes. */
    int most(int maxIdBytes) {
        return Math.max(LEAST, maxIdBytes - prefix.length());
    }

    StoredVolume outer(StoredVolume volume) {
        return new StoredVolume(
                outer(volume.id()),
                volume.name(),
                volume.capacity(),
                volume.medium(),
                outer(volume.content()),
                volume.notes(),
                volume.ownPlacement());
    }

    private Content outer(Content content) {
        return switch (content) {
            case Content.OfVolume(NativeId id) -> new Content.OfVolume(outerSource(id));
            case Content.OfSnapshot(NativeId id) -> new Content.OfSnapshot(outerSource(id));
            case Content.Empty _, Content.Transferred _ -> content;
        };
    }

    StoredSnapshot outer(StoredSnapshot snapshot) {
        return new StoredSnapshot(
                outer(snapshot.id()),
                snapshot.name(),
                outer(snapshot.source()),
                snapshot.size(),
                snapshot.created(),
                snapshot.group().map(this::outer));
    }

    StoredGroup outer(StoredGroup group) {
        return new StoredGroup(
                outer(group.id()),
                group.shape(),
                group.snapshots().stream().map(this::outer).toList());
    }

    /** Returns the page that begins after the same id in this pool; empty if all its ids come before that. */
    Optional<PageRequest> inner(PageRequest page) {
        String after = page.after().orElse("");
        if (prefix.isEmpty() || after.isEmpty()) {
            return Optional.of(page);
        }
        if (after.startsWith(prefix)) {
            return Optional.of(new PageRequest(Optional.of(after.substring(prefix.length())), page.size()));
        }
        return after.compareTo(prefix) < 0 ? Optional.of(PageRequest.first(page.size())) : Optional.empty();
    }
}
