package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets of a real storage host whose targetcli is killed, shared with others, or not restored. */
@OnStorage
class TargetcliFaultsOnStorageTest {
    private static final String THEIRS = "iqn.2001-04.com.example:theirs";
    private static final String NODE = "iqn.1993-08.org.debian:01:node";
    private static final String UNMAP = "find acls -mindepth 3 -type l -delete && rmdir acls/*/lun_0";

    /** Targetcli takes some seconds; it is killed soon after it has made one thing, in the middle of what it does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "core/iblock_*/pvc-kill",
                "iscsi/" + IscsiTarget.BASE + ":pvc-kill",
                "iscsi/" + IscsiTarget.BASE + ":pvc-kill/tpgt_1",
                "iscsi/" + IscsiTarget.BASE + ":pvc-kill/tpgt_1/lun/lun_0"
            })
    void targetcli_killed_in_the_middle_leaves_what_a_retry_finishes(String made, StorageHost host) throws IOException {
        StoredVolume volume = IscsiTarget.volume(host, "pvc-kill");
        try (Exporter exporter = IscsiTarget.exporter(host, "root", IscsiTarget.CHAP)) {
            Concurrently.run(List.of(
                    () -> Failing.works(() -> IscsiTarget.export(exporter, volume)), () -> killOnce(host, made)));

            IscsiTarget.export(exporter, volume);
            assertThat(IscsiTarget.exports(host)).hasSize(4);
            IscsiTarget.unexport(exporter, volume);
            assertThat(IscsiTarget.exports(host)).isEmpty();
        }
    }

    /** Kills targetcli as soon as a folder of the kernel's is there. */
    private static void killOnce(StorageHost host, String folder) {
        try {
            host.shell(
                    "i=0; until set -- /sys/kernel/config/target/" + folder + "; [ -e \"$1\" ] || [ $i -gt 1000 ];"
                            + " do i=$((i + 1)); sleep 0.05; done; pkill -KILL -f '^/usr/bin/python3 /usr/bin/targetcli'; true");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void two_connections_to_one_host_keep_each_others_targets(StorageHost host) throws IOException {
        List<StoredVolume> volumes = List.of(IscsiTarget.volume(host, "pvc-1"), IscsiTarget.volume(host, "pvc-2"));
        try (Exporter one = IscsiTarget.exporter(host, "root", IscsiTarget.CHAP);
                Exporter two = IscsiTarget.exporter(host, "keeper", IscsiTarget.OPEN)) {
            Concurrently.run(List.of(
                    () -> IscsiTarget.export(one, volumes.get(0)), () -> IscsiTarget.export(two, volumes.get(1))));
            assertThat(IscsiTarget.exports(host)).hasSize(8);

            Concurrently.run(List.of(
                    () -> IscsiTarget.unexport(two, volumes.get(0)), () -> IscsiTarget.unexport(one, volumes.get(1))));
            assertThat(IscsiTarget.exports(host)).isEmpty();
        }
    }

    /** What a host looks like that has restarted before its pool was there. */
    @Test
    void a_saved_configuration_that_is_not_running_is_kept(StorageHost host) throws IOException {
        StoredVolume old = IscsiTarget.volume(host, "pvc-old");
        StoredVolume fresh = IscsiTarget.volume(host, "pvc-fresh");
        try (Exporter exporter = IscsiTarget.exporter(host, "root", IscsiTarget.OPEN)) {
            IscsiTarget.export(exporter, old);
            host.shell("targetcli clearconfig confirm=true");
            String saved = host.shell("cat /etc/rtslib-fb-target/saveconfig.json");

            Failing.with(Failure.BackendUnavailable.class, () -> IscsiTarget.export(exporter, fresh));
            assertThat(host.shell("cat /etc/rtslib-fb-target/saveconfig.json")).isEqualTo(saved);

            host.shell("targetcli restoreconfig clear_existing=true");
            IscsiTarget.export(exporter, fresh);
            assertThat(IscsiTarget.exports(host)).hasSize(8);
            IscsiTarget.unexport(exporter, old);
            IscsiTarget.unexport(exporter, fresh);
            assertThat(IscsiTarget.exports(host)).isEmpty();
        }
    }

    /** What a restore leaves behind where an address came too late: it logs that, and goes on. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rmdir np/*",
                UNMAP,
                UNMAP + " && rmdir acls/*",
                UNMAP + " && find lun -type l -delete && rmdir lun/lun_0"
            })
    void what_a_restore_left_out_of_anothers_target_stays_saved(String removal, StorageHost host) throws IOException {
        StoredVolume volume = IscsiTarget.volume(host, "pvc-late");
        targetcli(
                host,
                "/backstores/ramdisk create theirs 1M",
                "/iscsi create " + THEIRS,
                "/iscsi/" + THEIRS + "/tpg1/luns create /backstores/ramdisk/theirs 0",
                "/iscsi/" + THEIRS + "/tpg1/acls create " + NODE);
        String saved = host.shell("cat /etc/rtslib-fb-target/saveconfig.json");
        String remove = "cd /sys/kernel/config/target/iscsi/" + THEIRS + "/tpgt_1 && " + removal;
        try (Exporter exporter = IscsiTarget.exporter(host, "root", IscsiTarget.OPEN)) {
            host.shell(remove);

            Failing.with(Failure.BackendUnavailable.class, () -> IscsiTarget.export(exporter, volume));
            assertThat(host.shell("cat /etc/rtslib-fb-target/saveconfig.json")).isEqualTo(saved);
            assertThat(IscsiTarget.exports(host)).isEmpty();

            host.shell("targetcli restoreconfig clear_existing=true");
            IscsiTarget.export(exporter, volume);
            assertThat(host.shell("cat /etc/rtslib-fb-target/saveconfig.json")).contains(THEIRS, NODE);
            IscsiTarget.unexport(exporter, volume);
        } finally {
            targetcli(host, "/iscsi delete " + THEIRS, "/backstores/ramdisk delete theirs");
        }
    }

    @Test
    void a_target_of_the_volumes_name_on_a_ramdisk_is_not_ours(StorageHost host) throws IOException {
        StoredVolume volume = IscsiTarget.volume(host, "pvc-scratch");
        String iqn = IscsiTarget.BASE + ":pvc-scratch";
        targetcli(
                host,
                "/backstores/ramdisk create scratch 1M",
                "/iscsi create " + iqn,
                "/iscsi/" + iqn + "/tpg1/luns create /backstores/ramdisk/scratch 0");
        try (Exporter exporter = IscsiTarget.exporter(host, "root", IscsiTarget.OPEN)) {
            Failing.with(Failure.NotOurs.class, () -> IscsiTarget.export(exporter, volume));
            IscsiTarget.unexport(exporter, volume);

            assertThat(host.shell("ls /sys/kernel/config/target/iscsi/" + iqn + "/tpgt_1/lun"))
                    .contains("lun_0");
            assertThat(host.shell("cat /etc/rtslib-fb-target/saveconfig.json")).contains(iqn, "scratch");
        } finally {
            targetcli(host, "/iscsi delete " + iqn, "/backstores/ramdisk delete scratch");
        }
    }

    /** As an administrator does who saves what he has done. */
    private static void targetcli(StorageHost host, String... lines) throws IOException {
        host.shell("printf '%s\\n' '" + String.join("' '", lines)
                + "' '/ saveconfig' exit | TARGETCLI_HOME=/run/lab targetcli >/dev/null");
    }
}
