package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Steps;
import java.util.Map;
import java.util.Optional;

/**
 * The steps of a birth.
 *
 * @param helper takes the snapshot that it is made of, where nobody has asked for that
 * @param rest finishes it; repeatable
 * @param claim the properties that it is born with
 */
record BirthSteps(Optional<Steps> helper, Steps dataset, Steps rest, boolean copies, Map<String, String> claim) {
    boolean takesSnapshot() {
        return helper.isPresent();
    }

    Steps all() {
        return new Steps().and(helper.orElseGet(Steps::new)).and(dataset).and(rest);
    }

    Steps afterSnapshot() {
        return new Steps().and(dataset).and(rest);
    }

    Steps toFinish(Steps before) {
        return new Steps().and(before).and(rest);
    }
}
