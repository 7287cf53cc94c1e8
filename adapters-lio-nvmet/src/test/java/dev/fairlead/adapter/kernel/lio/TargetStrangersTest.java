package dev.fairlead.adapter.kernel.lio;

import static dev.fairlead.adapter.kernel.lio.TargetFixture.IQN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.OPEN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.TPG;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.export;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.unexport;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody else has on a host is known by its device, and stays. */
class TargetStrangersTest {
    @TempDir
    private Path folder;

    private FakeLio lio() {
        return new FakeLio(folder);
    }

    private TargetFixture bench() {
        return new TargetFixture(lio());
    }

    @Test
    void what_leads_to_another_device_is_not_ours_and_stays() {
        StoredVolume volume = bench().volume("pvc-1");
        lio().write("dev/other", "");
        String other = folder.resolve("dev/other").toString();
        lio().targetcli("/backstores/block create pvc-1 " + other);
        try (Exporter exporter = bench().exporter(OPEN)) {
            Failing.with(Failure.NotOurs.class, () -> export(exporter, volume));
            unexport(exporter, volume);
            assertThat(lio().backstores()).containsExactly("pvc-1");

            lio().targetcli(
                            "/backstores/block delete pvc-1",
                            "/backstores/block create other " + other,
                            "/iscsi create " + IQN,
                            "/iscsi/" + IQN + "/tpg1/luns create /backstores/block/other 0");
            Failing.with(Failure.NotOurs.class, () -> export(exporter, volume));
            unexport(exporter, volume);
            assertThat(lio().targets()).containsExactly(IQN);
            assertThat(lio().backstores()).containsExactly("other");
        }
    }

    /** A ramdisk has no path, and neither has what goes past the kernel's block layer. */
    @Test
    void what_leads_to_no_device_is_not_ours_either_and_stays() {
        StoredVolume volume = bench().volume("pvc-1");
        lio().targetcli(
                        "/backstores/ramdisk create scratch 1M",
                        "/iscsi create " + IQN,
                        "/iscsi/" + IQN + "/tpg1/luns create /backstores/ramdisk/scratch 0");
        String saved = lio().saved();
        try (Exporter exporter = bench().exporter(OPEN)) {
            assertThatThrownBy(() -> export(exporter, volume))
                    .hasMessageContaining("the target " + IQN + " of ")
                    .hasMessageContaining("rd_mcp_0/scratch");
            unexport(exporter, volume);
        }
        assertThat(lio().targets()).containsExactly(IQN);
        assertThat(lio().names(TPG + "lun")).containsExactly("lun_0");
        assertThat(lio().saved()).isEqualTo(saved);
    }

    /** Targetcli notes the path before it puts a backstore to use; who makes one by hand may leave it out. */
    @Test
    void a_backstore_in_use_whose_path_is_not_noted_is_not_ours() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        StoredVolume volume = fixture.volume("pvc-1");
        lio.write("lio/core/iblock_3/pvc-1/udev_path", "");
        lio.write("lio/core/iblock_3/pvc-1/enable", "1\n");
        // The kernel removes a backstore that no LUN leads to.
        lio.write(
                "bin/rmdir",
                "#!/bin/sh\nfor f in \"$@\"; do case $f in */core/*/*) rm -rf \"$f\" ;; *) /bin/rmdir \"$f\" ;; esac; done\n");
        try (Exporter exporter = fixture.exporter(OPEN)) {
            Failing.with(Failure.NotOurs.class, () -> export(exporter, volume));
            unexport(exporter, volume);
        }
        assertThat(lio.backstores()).containsExactly("pvc-1");
    }

    @Test
    void a_device_that_somebody_exports_under_another_name_is_not_exported_twice() {
        StoredVolume volume = bench().volume("pvc-1");
        lio().targetcli("/backstores/block create by-hand " + bench().device("pvc-1"));

        try (Exporter exporter = bench().exporter(OPEN)) {
            Failing.with(Failure.NotOurs.class, () -> export(exporter, volume));
            assertThat(lio().targets()).isEmpty();

            unexport(exporter, volume);
            assertThat(lio().backstores()).isEmpty();
        }
    }
}
