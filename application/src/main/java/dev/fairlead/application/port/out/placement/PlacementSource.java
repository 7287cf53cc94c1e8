package dev.fairlead.application.port.out.placement;

import dev.fairlead.domain.affinity.PlacementReading;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Tells from where existing volumes can be used. It only reads: it never changes its storage.
 *
 * <p>A source is asked for all of its volumes at each poll, and for a few after a hint, by a second thread if it still
 * reads all. Each call ends within a deadline of the source's own.
 */
public interface PlacementSource extends AutoCloseable {
    /** The number of volumes that are asked for after hints at most; of more, all are asked for. */
    int FEW = 4;

    /** Returns a short name for plans, metrics and events, such as {@code linstor}. */
    String name();

    /**
     * Says whether this source, by the volume's driver and attributes alone and without asking anybody, is the one that
     * answers for it.
     */
    boolean answersFor(PlacedVolume volume);

    /**
     * Returns, in words for people, what this volume has in common with those that one mistake changes together with
     * it. Too many changes of one such group hold up that group and no other.
     */
    default String group(PlacedVolume volume) {
        return volume.storageClass().map(name -> "class " + name).orElse("no class");
    }

    /**
     * Hears of all volumes of the source that there are, before each round; what it remembers of others, it may forget.
     *
     * @param count the number of them
     * @param volumes the volumes; a source that remembers nothing needless does not look at them
     */
    default void living(int count, Stream<PlacedVolume> volumes) {}

    /**
     * Returns a reading for each of these volumes, by the PersistentVolume's name. A volume that is left out is
     * unknown, and so is everything that the storage did not clearly say: half a list, an error, no replica left.
     *
     * @throws dev.fairlead.domain.failure.StorageException if nothing can be said now; then all of them are unknown
     */
    Map<String, PlacementReading> read(List<PlacedVolume> volumes);

    /**
     * Begins to pass on hints, on threads of the source's own; called once at most. A source without events does
     * nothing.
     */
    void listen(PlacementHints hints);

    /** Ends the hints and lets go of connections. */
    @Override
    void close();
}
