package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
import dev.fairlead.testkit.contract.volume.VolumeAbsenceContract;
import dev.fairlead.testkit.contract.volume.VolumeReplacementContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** A real pool of its own that goes away as a whole, and another one of its name in its place. */
@OnStorage
class AbsenceOnStorageTest {
    private static final String PARENT = PoolOfItsOwn.PARENT;
    private static final Map<String, ?> KEYS = PoolOfItsOwn.KEYS;

    private Optional<ZfsPoolFixture> entered = Optional.empty();

    @BeforeEach
    void make(StorageHost host) {
        entered = Optional.of(new ZfsPoolFixture(host));
        pool().make();
    }

    @AfterEach
    void remove() {
        pool().remove();
    }

    private ZfsPoolFixture rig() {
        return entered.orElseThrow();
    }

    private String shell(String line) {
        return rig().shell(line);
    }

    private PoolOfItsOwn pool() {
        return new PoolOfItsOwn(rig());
    }

    abstract class Volumes implements VolumeAbsenceContract, VolumeReplacementContract {
        @Override
        public void takeAway() {
            pool().export();
        }

        @Override
        public void bringBack() {
            pool().importAgain();
        }

        @Override
        public void putAnother() {
            pool().putAnother();
        }

        @Override
        public void takeAnotherUntouched() {
            assertThat(shell("zfs list -H -o name -t all -r away").lines()).containsExactly("away", PARENT);
            shell("zpool destroy away");
        }

        @Override
        public void verifyEmpty() {
            assertThat(shell("zfs list -H -o name -t all -r away").lines()).isSubsetOf(List.of("away", PARENT));
        }
    }

    @Nested
    class Filesystems extends Volumes {
        @Override
        public VolumeStore store() {
            return rig().filesystems(KEYS);
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
    class BlockVolumes extends Volumes {
        @Override
        public VolumeStore store() {
            return rig().volumes(KEYS);
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

    abstract class Shares implements ExporterReplacementContract {
        private final String protocol;
        private final String property;
        private String another = "";

        Shares(String protocol, String property) {
            this.protocol = protocol;
            this.property = property;
        }

        @Override
        public Exporter exporter() {
            return rig().shares(
                            protocol,
                            Map.of(
                                    "shareHost",
                                    "127.0.0.1",
                                    "shareStrategy",
                                    "setDatasetProperties",
                                    "shareStrategySetDatasetProperties",
                                    Map.of("properties", Map.of(property, "on"))),
                            "root",
                            KEYS);
        }

        @Override
        public Birth birth(String name) {
            try (VolumeStore store = rig().filesystems(KEYS)) {
                return store.plan(TestVolumes.empty(name), new NativeId(name));
            }
        }

        @Override
        public StoredVolume volume(Birth birth, Map<String, String> notes) {
            try (VolumeStore store = rig().filesystems(KEYS)) {
                return store.create(birth.noting(notes), TestWork.patient()).volume();
            }
        }

        @Override
        public void remove(StoredVolume volume) {
            shell("zfs destroy -R " + PARENT + "/" + volume.id());
        }

        @Override
        public void takeAway() {
            pool().export();
        }

        @Override
        public void bringBack() {
            pool().importAgain();
        }

        @Override
        public void putAnother(Optional<StoredVolume> alike) {
            pool().putAnother();
            shell("zfs create -o sharenfs=rw=10.0.0.9 " + PARENT + "/other");
            alike.ifPresent(
                    volume -> shell("zfs create -o sharenfs=rw=10.0.0.9 -o sharesmb=on " + PARENT + "/" + volume.id()));
            another = shared();
        }

        private String shared() {
            return shell("zfs get -r -H -o name,property,value,source sharenfs,sharesmb away; exportfs | sort;"
                    + " net usershare list | sort");
        }

        /** OpenZFS leaves the SMB share of what is destroyed, but not of what is unshared. */
        @Override
        public void takeAnotherUntouched() {
            assertThat(shared()).isEqualTo(another);
            shell("zfs inherit -r sharenfs away; zfs inherit -r sharesmb away; zpool destroy away");
        }
    }

    @Nested
    class Nfs extends Shares {
        Nfs() {
            super("nfs", "sharenfs");
        }

        @Override
        public int exports() {
            return Integer.parseInt(
                    shell("exportfs | grep -c '^/" + PARENT + "/' || true").strip());
        }
    }

    @Nested
    class Smb extends Shares {
        Smb() {
            super("smb", "sharesmb");
        }

        @Override
        public int exports() {
            return rig().shares();
        }
    }
}
