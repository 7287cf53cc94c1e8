package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
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
 * Another pool of its name may be there instead.
 */
@OnStorage
class TargetAbsenceOnStorageTest {
    abstract static class Targets implements ExporterReplacementContract {
        /** The dataset of the other pool's own volume. */
        static final String OTHER = PoolOfItsOwn.PARENT + "/other";

        private Optional<StorageHost> entered = Optional.empty();
        private String before = "";

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

        /** A target is of a path: whose pool is below it is known by the store alone. */
        @Override
        public boolean knowsTheStorage() {
            return false;
        }

        /** Exports {@link #OTHER}, by hand, to a node of its own. */
        abstract void exportOther();

        /** Returns all that the kernel has of that export. */
        abstract String dumpOther();

        abstract void unexportOther();

        @Override
        public void putAnother(Optional<StoredVolume> alike) {
            pool().putAnother();
            rig().shell("zfs create -V 16M " + OTHER);
            alike.ifPresent(volume -> rig().shell("zfs create -V 16M " + PoolOfItsOwn.PARENT + "/" + volume.id()));
            rig().shell("udevadm settle");
            exportOther();
            before = dumpOther();
            assertThat(before).contains("/dev/zvol/" + OTHER);
        }

        @Override
        public void takeAnotherUntouched() {
            assertThat(dumpOther()).isEqualTo(before);
            unexportOther();
            pool().takeAnother();
        }
    }

    @Nested
    class Iscsi extends Targets {
        @Override
        public Exporter exporter() {
            return IscsiTarget.exporter(host(), "root", IscsiTarget.OPEN, PoolOfItsOwn.PARENT);
        }

        private static final String ANOTHERS = "iqn.2003-01.org.example.other:other";

        /** Nobody saves it: what is saved and does not run keeps targetcli from saving anything, by our own rule. */
        @Override
        void exportOther() {
            String group = "/iscsi/" + ANOTHERS + "/tpg1";
            rig().shell("set -e; targetcli /backstores/block create other /dev/zvol/" + OTHER
                    + "; targetcli /iscsi create "
                    + ANOTHERS + "; targetcli " + group + "/luns create /backstores/block/other; targetcli " + group
                    + "/acls create iqn.1993-08.org.debian:01:other");
        }

        @Override
        String dumpOther() {
            return rig().shell("cd /sys/kernel/config/target; cat core/*/other/udev_path; cd iscsi/" + ANOTHERS
                    + "; find . | sort; ls -l tpgt_1/lun/lun_0 | sed -n 's/.* -> //p'; cat tpgt_1/attrib/*"
                    + " tpgt_1/acls/*/lun_0/write_protect");
        }

        /** If our exporter has saved meanwhile, this was saved too. */
        @Override
        void unexportOther() {
            rig().shell("set -e; targetcli /iscsi delete " + ANOTHERS + "; targetcli /backstores/block delete other;"
                    + " ! grep -q " + ANOTHERS + " /etc/rtslib-fb-target/saveconfig.json || targetcli / saveconfig");
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

        private static final String ANOTHERS = "/sys/kernel/config/nvmet/subsystems/nqn.2003-01.org.example.other";
        private static final String ANOTHERS_HOST =
                "/sys/kernel/config/nvmet/hosts/nqn.2014-08.org.nvmexpress:uuid:other";
        private static final String ANOTHERS_LINK =
                "/sys/kernel/config/nvmet/ports/1/subsystems/nqn.2003-01.org.example.other";

        @Override
        void exportOther() {
            rig().shell("set -e; mkdir " + ANOTHERS + " " + ANOTHERS_HOST + " " + ANOTHERS + "/namespaces/1; cd "
                    + ANOTHERS
                    + "; printf %s /dev/zvol/" + OTHER
                    + " >namespaces/1/device_path; echo 1 >namespaces/1/enable; ln -s "
                    + ANOTHERS_HOST + " allowed_hosts/; ln -s " + ANOTHERS + " " + ANOTHERS_LINK);
        }

        @Override
        String dumpOther() {
            return rig().shell("cd " + ANOTHERS + "; grep -r . . | sort; ls allowed_hosts; ls -d " + ANOTHERS_LINK);
        }

        @Override
        void unexportOther() {
            rig().shell("set -e; rm " + ANOTHERS_LINK + " " + ANOTHERS + "/allowed_hosts/*; rmdir " + ANOTHERS
                    + "/namespaces/1 " + ANOTHERS + " " + ANOTHERS_HOST);
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
