package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.export.ExporterServiceContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Block volumes by the kernel's NVMe target of a real storage host, and disks of them. */
@OnStorage
class NvmetOnStorageTest {
    private Optional<NvmeTarget> target = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        target = Optional.of(new NvmeTarget(host));
    }

    @AfterEach
    void leave() {
        assertThat(target().exports()).as("exports left behind").isZero();
        target().close();
    }

    NvmeTarget target() {
        return target.orElseThrow();
    }

    private String shell(String line) {
        return target().rig().shell(line).strip();
    }

    private static void withdraw(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
    }

    @Nested
    class Promises implements ExporterServiceContract {
        @Override
        public Exporter exporter() {
            return target().exporter();
        }

        @Override
        public Birth birth(String name) {
            return target().birth(name);
        }

        @Override
        public StoredVolume volume(Birth birth, Map<String, String> notes) {
            return target().volume(birth, notes);
        }

        @Override
        public void remove(StoredVolume volume) {
            target().removeUnderneath(volume);
        }

        /** Its folder goes out of sight, and the kernel serves on. */
        @Override
        public void hideService() {
            shell("umount /sys/kernel/config");
        }

        @Override
        public void showService() {
            shell("mount -t configfs none /sys/kernel/config");
        }

        @Override
        public int exports() {
            return target().exports();
        }
    }

    /** Connects, and waits for the disk. Answers its device. */
    private String connect(String nqn) {
        return shell("nvme connect -t tcp -a 127.0.0.1 -s 4420 -n " + nqn
                + " >/dev/null && for i in $(seq 100); do for d in /sys/class/nvme-subsystem/*/; do"
                + " [ \"$(cat $d/subsysnqn)\" = " + nqn + " ] || continue;"
                + " for b in $d/nvme*n1; do b=/dev/${b##*/}; [ ! -b $b ] || { echo $b; exit 0; }; done; done;"
                + " sleep 0.1; done; exit 1");
    }

    private static String nqn(Export export) {
        return ((Attachment.Nvmeof) export.attachment()).nqn();
    }

    private String uuid(String disk) {
        return shell("cat /sys/block/" + disk.substring("/dev/".length()) + "/uuid");
    }

    @Test
    void a_host_that_connects_reads_what_is_on_the_volume_and_sees_it_grow() {
        StoredVolume volume = target().volume("pvc-a");
        try (Exporter exporter = target().exporter();
                VolumeStore store = target().rig().volumes(Map.of())) {
            Export export = exporter.export(volume, TestWork.patient());
            String disk = connect(nqn(export));
            String path = volume.medium().path();
            shell("head -c 4000000 /dev/urandom >/tmp/data && dd if=/tmp/data of=" + disk
                    + " bs=1M conv=fsync 2>/dev/null");
            assertThat(shell("cmp -n 4000000 /tmp/data " + path + " && rm /tmp/data && echo same"))
                    .isEqualTo("same");
            assertThat(shell("blockdev --getsize64 " + disk)).isEqualTo("16777216");

            StoredVolume grown =
                    store.expand(volume.id(), TestVolumes.atLeast(Capacity.ofBytes(64L << 20)), TestWork.patient());
            exporter.expanded(grown, TestWork.patient());

            assertThat(shell("for i in $(seq 50); do [ $(blockdev --getsize64 " + disk
                            + ") = 67108864 ] && break; sleep 0.1; done; blockdev --getsize64 " + disk))
                    .isEqualTo("67108864");
            shell("nvme disconnect -n " + nqn(export));
            withdraw(exporter, volume);
        }
        target().remove(volume);
    }

    @Test
    void the_same_disk_comes_back_under_a_host_that_stays_connected() {
        StoredVolume volume = target().volume("pvc-a");
        try (Exporter exporter = target().exporter()) {
            Export export = exporter.export(volume, TestWork.patient());
            String before = uuid(connect(nqn(export)));
            shell("nvme disconnect -n " + nqn(export));
            withdraw(exporter, volume);

            exporter.export(volume, TestWork.patient());

            assertThat(uuid(connect(nqn(export)))).isEqualTo(before);
            // The host is still at it: taking the export away cuts it off, and does not wait for it.
            withdraw(exporter, volume);
            assertThat(shell("ls " + volume.medium().path())).isNotEmpty();
            shell("nvme disconnect-all");
        }
        target().remove(volume);
    }

    @Test
    void a_volume_that_is_not_open_lets_no_stranger_in() {
        StoredVolume volume = target().volume("pvc-a");
        try (Exporter exporter = target().rig()
                .nvmet(target().settings("subsystem", Map.of("attributes", Map.of("allow_any_host", false))))) {
            Export export = exporter.export(volume, TestWork.patient());

            assertThat(shell("nvme connect -t tcp -a 127.0.0.1 -s 4420 -n " + nqn(export) + " 2>&1 || echo refused"))
                    .endsWith("refused");

            withdraw(exporter, volume);
        }
        target().remove(volume);
    }

    @Test
    void two_processes_at_once_lose_nothing() {
        List<StoredVolume> volumes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            volumes.add(target().volume("pvc-" + i));
        }
        try (Exporter one = target().exporter();
                Exporter two = target().exporter()) {
            List<Runnable> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Exporter by = i % 2 == 0 ? one : two;
                StoredVolume volume = volumes.get(i);
                calls.add(() -> by.export(volume, TestWork.patient()));
            }
            Concurrently.run(calls);
            assertThat(target().exports()).isEqualTo(8);

            List<Runnable> back = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Exporter by = i % 2 == 0 ? two : one;
                StoredVolume volume = volumes.get(i);
                back.add(() -> withdraw(by, volume));
            }
            Concurrently.run(back);
        }
        assertThat(target().exports()).isZero();
        volumes.forEach(target()::remove);
    }

    @Test
    void a_script_that_dies_between_any_two_changes_is_finished_by_a_retry() {
        StoredVolume volume = target().volume("pvc-a");
        try (Exporter exporter = target().mortal()) {
            Export export = exporter.export(volume, TestWork.patient());
            String whole = target().state(nqn(export));
            withdraw(exporter, volume);
            int died = 0;
            boolean dying = true;
            for (int changes = 1; dying; changes++) {
                int before = died;
                target().killAfter(changes);
                died += Failing.works(() -> exporter.export(volume, TestWork.patient())) ? 0 : 1;
                target().killAfter(0);
                exporter.export(volume, TestWork.patient());
                assertThat(target().state(nqn(export))).isEqualTo(whole);

                target().killAfter(changes);
                died += Failing.works(() -> exporter.unexport(
                                volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient()))
                        ? 0
                        : 1;
                target().killAfter(0);
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());
                assertThat(target().exports()).isZero();
                dying = died > before;
            }
            assertThat(died).isGreaterThan(20);
        }
        target().remove(volume);
    }

    @Test
    void who_may_by_sudo_exports_and_who_may_not_is_told_so() {
        StoredVolume volume = target().volume("pvc-a");
        try (Exporter keeper = as("keeper", true);
                Exporter guest = as("guest", true);
                Exporter plain = as("keeper", false)) {
            assertThatThrownBy(() -> guest.export(volume, TestWork.patient())).hasMessageContaining("NOPASSWD");
            Failing.with(Failure.BackendRejected.class, () -> guest.export(volume, TestWork.patient()));
            assertThatThrownBy(() -> plain.export(volume, TestWork.patient())).hasMessageContaining("sudoEnabled");
            assertThat(target().exports()).isZero();

            keeper.export(volume, TestWork.patient());

            assertThat(target().exports()).isEqualTo(2);
            withdraw(keeper, volume);
        }
        target().remove(volume);
    }

    private Exporter as(String user, boolean sudo) {
        return target().rig().nvmet(target().settings("sudoEnabled", sudo), user);
    }

    @Test
    void a_missing_port_is_named() {
        StoredVolume volume = target().volume("pvc-a");
        try (Exporter exporter = target().rig().nvmet(target().settings("ports", List.of("1", "77")))) {
            assertThatThrownBy(() -> exporter.export(volume, TestWork.patient()))
                    .hasMessageContaining("no port 77");
        }
        target().remove(volume);
    }
}
