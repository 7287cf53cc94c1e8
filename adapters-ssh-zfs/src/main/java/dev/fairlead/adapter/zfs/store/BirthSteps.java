package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Steps;
import java.util.Map;
import java.util.Optional;

/**
 * The steps of a birth.
 *
 * @param source the snapshot that it is made of, where nobody has asked for that
 * @param rest finishes it; repeatable
 * @param properties those that it is born with
 * @param natives what it is compared with when it is read back
 */
record BirthSteps(
        Optional<TakenSource> source,
        Steps dataset,
        Steps rest,
        boolean copies,
        Map<String, String> properties,
        NativeProperties natives) {
    boolean takesSnapshot() {
        return source.isPresent();
    }

    Steps all() {
        return new Steps()
                .and(source.map(TakenSource::taken).orElseGet(Steps::new))
                .and(dataset)
                .and(rest);
    }

    Steps afterSnapshot() {
        return new Steps().and(dataset).and(rest);
    }

    Steps toFinish(Steps before) {
        return new Steps().and(before).and(rest);
    }
}
