package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.store.snapshot.TakenSource;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the steps that make a volume.
 *
 * @param from the snapshot that the volume is made of
 * @param source the same, if nobody asked for that snapshot
 * @param rest the steps after the dataset's creation; repeatable
 * @param finishing the same, the mark that it is complete, and the reading back
 * @param properties the properties that it is made with
 * @param natives the properties to compare when it is read back
 * @param printed the rows that the reading back prints
 */
record BirthSteps(
        Optional<SnapshotName> from,
        Optional<TakenSource> source,
        Steps dataset,
        Steps rest,
        Steps finishing,
        Steps reading,
        boolean copies,
        Map<String, String> properties,
        NativeProperties natives,
        List<String> printed) {
    boolean takesSnapshot() {
        return source.isPresent();
    }

    Steps all() {
        return new Steps()
                .and(source.map(TakenSource::taken).orElseGet(Steps::new))
                .and(dataset)
                .and(finishing);
    }

    Steps afterSnapshot() {
        return new Steps().and(dataset).and(finishing);
    }

    Steps toFinish(Steps before) {
        return new Steps().and(before).and(finishing);
    }
}
