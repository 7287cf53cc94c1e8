package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The steps of a birth.
 *
 * @param from the snapshot that it is made of
 * @param source the same, where nobody has asked for that
 * @param rest what follows the dataset; repeatable
 * @param finishing the same, the mark that it is whole, and the reading back
 * @param properties those that it is born with
 * @param natives what it is compared with when it is read back
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
