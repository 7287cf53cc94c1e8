package dev.fairlead.lab;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.ExporterAbsenceContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/**
 * A real pool that is not imported after the storage host has started anew: its targets came back without its devices.
 */
@OnStorage
class TargetAbsenceOnStorageTest {
    abstract static class Targets implements ExporterAbsenceContract {
        private Optional<StorageHost> entered = Optional.empty();

        @BeforeEach
        void make(StorageHost host) {
            entered = Optional.of(host);
            pool().make();
            begin();
        }

        @AfterEach
        void leave() {
            end();
            pool().remove();
        }

        void begin() {}

        void end() {}

        StorageHost host() {
            return entered.orElseThrow();
        }

        ZfsPoolFixture rig() {
            return new ZfsPoolFixture(host());
        }

        PoolOfItsOwn pool() {
            return new PoolOfItsOwn(rig());
        }

        /** Lets go of the pool's devices, as the end of the host's kernel does; what is saved stays saved. */
        abstract void letGo();

        @Override
        public Birth birth(String name) {
            try (VolumeStore store = rig().volumes(PoolOfItsOwn.KEYS)) {
                return store.plan(TestVolumes.empty(name), new NativeId(name));
            }
        }

        @Override
        public StoredVolume volume(Birth birth, Map<String, String> notes) {
            try (VolumeStore store = rig().volumes(PoolOfItsOwn.KEYS)) {
                return store.create(birth.noting(notes), TestWork.patient()).volume();
            }
        }

        @Override
        public void takeAway() {
            letGo();
            pool().export();
        }

        @Override
        public void bringBack() {
            pool().importAgain();
        }
    }

    @Nested
    class Iscsi extends Targets {
        @Override
        public Exporter exporter() {
            return IscsiTarget.exporter(host(), "root", IscsiTarget.OPEN);
        }

        /** The target is made anew at the start; a LUN whose device is missing is left out. */
        @Override
        void letGo() {
            rig().shell("targetctl clear");
        }

        @Override
        public void takeAway() {
            super.takeAway();
            rig().shell("targetctl restore 2>&1 || true");
        }

        @Override
        public void remove(StoredVolume volume) {
            // The kernel does not let go of a device that is a LUN: a volume goes first only by force.
            rig().shell("zfs destroy " + PoolOfItsOwn.PARENT + "/" + volume.id() + " 2>/dev/null || true");
        }

        @Override
        void end() {
            rig().shell("targetctl clear");
        }

        @Override
        public int exports() {
            try {
                return IscsiTarget.exports(host(), PoolOfItsOwn.PARENT).size();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Nested
    class Nvmeof extends Targets {
        private Optional<NvmeTarget> target = Optional.empty();

        @Override
        void begin() {
            target = Optional.of(new NvmeTarget(host()));
        }

        @Override
        void end() {
            target.orElseThrow().close();
        }

        @Override
        public Exporter exporter() {
            return target.orElseThrow().exporter();
        }

        @Override
        void letGo() {
            target.orElseThrow().disable("/dev/zvol/" + PoolOfItsOwn.PARENT + "/");
        }

        @Override
        public void remove(StoredVolume volume) {
            letGo();
            rig().shell("for i in 1 2 3 4 5; do zfs destroy -R " + PoolOfItsOwn.PARENT + "/" + volume.id()
                    + " && exit 0; sleep 0.5; done; exit 1");
        }

        @Override
        public int exports() {
            return target.orElseThrow().exports();
        }
    }
}
