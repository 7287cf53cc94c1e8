package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.VolumeModificationContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** All that a store promises, to those whose class names one of several parents. */
class LabelledParentStoreTest {
    private static final Pattern BELOW_A_LABEL =
            Pattern.compile("[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?\\.[A-Za-z0-9][A-Za-z0-9_-]*([@/].*)?", Pattern.DOTALL);

    /** What the contracts ask of the pools. */
    abstract static class Classed
            implements VolumeStoreContract, SnapshotStoreContract, SnapshotGroupsContract, VolumeModificationContract {
        private final ZfsFixture fixture;

        Classed(VolumeMedium.Kind kind) {
            this.fixture = new ZfsFixture(
                    kind,
                    Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"),
                    Map.of("fast", "tank/fast", "bulk", "ssd/v"),
                    "tank",
                    "tank/v",
                    "tank/fast",
                    "tank/s", // which is there: below one that is not, no snapshot is proved to be gone
                    "ssd",
                    "ssd/v");
        }

        @Override
        public VolumeStore store() {
            return new ClassedStore(fixture.open(), Map.of("parent", "fast"));
        }

        @Override
        public void write(StoredVolume volume, String file, String content) {
            fixture.pool().files(fixture.dataset(volume.id())).put(file, content);
        }

        @Override
        public Optional<String> read(StoredVolume volume, String file) {
            return Optional.ofNullable(
                    fixture.pool().files(fixture.dataset(volume.id())).get(file));
        }

        @Override
        public Map<String, String> parameters() {
            return Map.of("compression", "zstd-3", "sync", "always");
        }

        @Override
        public Map<String, String> otherParameters() {
            return Map.of("compression", "gzip", "sync", "standard");
        }

        @Override
        public Map<String, String> modified(StoredVolume volume) {
            return fixture.modified(volume);
        }

        @Override
        public void verifyEmpty() {
            fixture.verifyEmpty();
        }

        /** Those that name a parent may be its own: it says that it does not know. */
        @Override
        public Stream<NativeId> hostileIds() {
            return HostileInput.ids()
                    .filter(id -> !BELOW_A_LABEL.matcher(id.value()).matches());
        }

        @Test
        void ids_below_a_parent_that_is_not_known_are_neither_missing_nor_deleted() {
            try (VolumeStore store = store()) {
                Stream<NativeId> ids = HostileInput.ids()
                        .filter(id -> BELOW_A_LABEL.matcher(id.value()).matches());

                assertThat(ids).isNotEmpty().allSatisfy(id -> {
                    Failing.with(Failure.BackendRejected.class, () -> store.find(id, TestWork.patient()));
                    Failing.with(
                            Failure.BackendRejected.class,
                            () -> store.delete(id, OnDependents.REFUSE, TestWork.patient()));
                });
            }
        }
    }

    @Nested
    class Filesystems extends Classed {
        Filesystems() {
            super(VolumeMedium.Kind.FILESYSTEM);
        }
    }

    @Nested
    class BlockVolumes extends Classed {
        BlockVolumes() {
            super(VolumeMedium.Kind.BLOCK_DEVICE);
        }
    }
}
