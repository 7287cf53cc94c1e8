package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.ExporterContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotLifeContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotListContract;
import dev.fairlead.testkit.contract.volume.VolumeContentContract;
import dev.fairlead.testkit.contract.volume.VolumeLifeContract;
import dev.fairlead.testkit.contract.volume.VolumeListContract;
import dev.fairlead.testkit.contract.volume.VolumeNotesContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** What stores and exporters promise, on a real pool behind a real sshd. */
@OnStorage
class ZfsOnStorageTest {
    private static final Map<String, ?> OPEN =
            Map.of("datasetPermissionsMode", "0777", "datasetPermissionsUser", "0", "datasetEnableQuotas", true);

    /** What the contracts ask of a pool. */
    interface Pool
            extends VolumeLifeContract,
                    VolumeContentContract,
                    VolumeNotesContract,
                    VolumeListContract,
                    SnapshotLifeContract,
                    SnapshotListContract {
        ZfsPoolFixture rig();

        @Override
        default void verifyEmpty() {
            assertThat(rig().left()).isEmpty();
        }
    }

    /** A pool whose parents exist, so that an absence proves something. */
    private static ZfsPoolFixture prepared(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        fixture.shell("zfs create -p " + fixture.parent());
        return fixture;
    }

    @Nested
    class Filesystems implements Pool {
        private Optional<ZfsPoolFixture> fixture = Optional.empty();

        @BeforeEach
        void enter(StorageHost host) {
            fixture = Optional.of(prepared(host));
        }

        @Override
        public ZfsPoolFixture rig() {
            return fixture.orElseThrow();
        }

        @Override
        public VolumeStore store() {
            return rig().filesystems(OPEN);
        }

        @Override
        public void write(StoredVolume volume, String file, String content) {
            rig().write(volume, file, content);
        }

        @Override
        public Optional<String> read(StoredVolume volume, String file) {
            return rig().read(volume, file);
        }
    }

    @Nested
    class Volumes implements Pool {
        private Optional<ZfsPoolFixture> fixture = Optional.empty();

        @BeforeEach
        void enter(StorageHost host) {
            fixture = Optional.of(prepared(host));
        }

        @Override
        public ZfsPoolFixture rig() {
            return fixture.orElseThrow();
        }

        @Override
        public VolumeStore store() {
            return rig().volumes(Map.of());
        }

        @Override
        public void write(StoredVolume volume, String file, String content) {
            rig().writeBlock(volume, file, content);
        }

        @Override
        public Optional<String> read(StoredVolume volume, String file) {
            return rig().readBlock(volume, file);
        }
    }

    /** Shares, and the volumes that they are of. */
    abstract static class Shares implements ExporterContract {
        private Optional<ZfsPoolFixture> fixture = Optional.empty();

        @BeforeEach
        void enter(StorageHost host) {
            fixture = Optional.of(prepared(host));
        }

        ZfsPoolFixture rig() {
            return fixture.orElseThrow();
        }

        @Override
        public Birth birth(String name) {
            try (VolumeStore store = rig().filesystems(OPEN)) {
                return store.plan(TestVolumes.empty(name), new NativeId(name));
            }
        }

        @Override
        public StoredVolume volume(Birth birth, Map<String, String> notes) {
            try (VolumeStore store = rig().filesystems(OPEN)) {
                return store.create(birth.noting(notes), TestWork.patient()).volume();
            }
        }

        @Override
        public void remove(StoredVolume volume) {
            rig().shell("zfs destroy -R " + rig().parent() + "/" + volume.id());
        }
    }

    @Nested
    class NfsShares extends Shares {
        @Override
        public Exporter exporter() {
            return rig().nfs(Map.of(
                    "shareHost",
                    "127.0.0.1",
                    "shareStrategy",
                    "setDatasetProperties",
                    "shareStrategySetDatasetProperties",
                    Map.of("properties", Map.of("sharenfs", "rw,no_subtree_check,no_root_squash"))));
        }

        @Override
        public int exports() {
            return rig().exported();
        }
    }

    @Nested
    class SmbShares extends Shares {
        @Override
        public Exporter exporter() {
            return rig().smb(Map.of(
                    "shareHost",
                    "127.0.0.1",
                    "shareStrategy",
                    "setDatasetProperties",
                    "shareStrategySetDatasetProperties",
                    Map.of("properties", Map.of("sharesmb", "on"))));
        }

        @Override
        public int exports() {
            return rig().shares();
        }
    }
}
