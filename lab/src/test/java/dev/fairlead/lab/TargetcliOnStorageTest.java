package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.ExporterServiceContract;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Volumes as targets of the kernel of a real storage host, and logins to them by a real initiator. */
@OnStorage
class TargetcliOnStorageTest {
    /** All that is promised of an exporter. */
    @Nested
    class Promises implements ExporterServiceContract {
        private Optional<StorageHost> host = Optional.empty();

        @BeforeEach
        void take(StorageHost given) {
            host = Optional.of(given);
        }

        private StorageHost host() {
            return host.orElseThrow();
        }

        @Override
        public Exporter exporter() {
            return IscsiTarget.exporter(host(), "root", IscsiTarget.CHAP);
        }

        @Override
        public Birth birth(String name) {
            return IscsiTarget.birth(host(), name);
        }

        @Override
        public StoredVolume volume(Birth birth, Map<String, String> notes) {
            try {
                return IscsiTarget.volume(host(), birth, notes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void remove(StoredVolume volume) {
            try {
                // The kernel does not let go of a device that is a LUN: a volume goes first only by force.
                host().shell("zfs destroy " + host().parent() + "/" + volume.id() + " 2>/dev/null || true");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void shell(String line) {
            try {
                host().shell(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
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
            try {
                return IscsiTarget.exports(host()).size();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void who_has_the_password_gets_in_and_nobody_else(StorageHost host) throws IOException {
        StoredVolume volume = IscsiTarget.volume(host, "pvc-chap");
        try (Exporter exporter = IscsiTarget.exporter(host, "root", IscsiTarget.CHAP)) {
            Attachment.Iscsi target = IscsiTarget.export(exporter, volume);
            String[] right = {
                "auth.authmethod",
                "CHAP",
                "auth.username",
                "alice",
                "auth.password",
                IscsiTarget.PASSWORD,
                "auth.username_in",
                "bob",
                "auth.password_in",
                "builder-123456"
            };

            assertThat(IscsiTarget.login(host, target)).as("without").isEqualTo(24);
            assertThat(IscsiTarget.login(
                            host, target, "auth.authmethod", "CHAP", "auth.username", "alice", "auth.password", "x"))
                    .as("with a wrong one")
                    .isEqualTo(24);
            assertThat(IscsiTarget.login(host, target, right))
                    .as("with the right one")
                    .isZero();

            IscsiTarget.logout(host, target);
            IscsiTarget.unexport(exporter, volume);
        }
        assertThat(IscsiTarget.exports(host)).isEmpty();
    }

    @Test
    void the_lun_grows_with_its_volume(StorageHost host) throws IOException {
        StoredVolume volume = IscsiTarget.volume(host, "pvc-grow");
        try (Exporter exporter = IscsiTarget.exporter(host, "root", IscsiTarget.OPEN)) {
            Attachment.Iscsi target = IscsiTarget.export(exporter, volume);
            assertThat(IscsiTarget.login(host, target)).isZero();
            String before = host.shell("udevadm settle; " + IscsiTarget.disk(target) + "; cat $d/size");

            host.shell("zfs set volsize=64M " + host.parent() + "/pvc-grow");
            exporter.expanded(volume, TestWork.patient());

            String after = host.shell(IscsiTarget.disk(target) + "; iscsiadm -m node -T " + target.iqn()
                    + " --rescan >/dev/null; cat $d/size");
            assertThat(before.strip()).isEqualTo("32768");
            assertThat(after.strip()).isEqualTo("131072");
            IscsiTarget.logout(host, target);
            IscsiTarget.unexport(exporter, volume);
        }
    }

    @Test
    void a_user_who_is_not_root_exports_by_sudo_and_one_who_may_not_is_told_so(StorageHost host) throws IOException {
        StoredVolume volume = IscsiTarget.volume(host, "pvc-sudo");
        try (Exporter keeper = IscsiTarget.exporter(host, "keeper", IscsiTarget.OPEN);
                Exporter guest = IscsiTarget.exporter(host, "guest", IscsiTarget.OPEN)) {
            IscsiTarget.export(keeper, volume);
            assertThat(IscsiTarget.exports(host)).hasSize(4);

            assertThatThrownBy(() -> IscsiTarget.export(guest, volume)).hasMessageContaining("NOPASSWD");

            IscsiTarget.unexport(keeper, volume);
            assertThat(IscsiTarget.exports(host)).isEmpty();
        }
    }
}
