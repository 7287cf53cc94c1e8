package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands in the way on a storage host: it is told, and nothing is touched. */
class NvmetAdversityTest {
    private final NvmetFixture fixture;

    NvmetAdversityTest(@TempDir Path folder) {
        fixture = new NvmetFixture(folder);
    }

    @Test
    void a_subsystem_that_shows_another_device_is_not_touched() {
        StoredVolume volume = fixture.volume("pvc-1");
        Path theirs = fixture.subsystem("pvc-1").resolve("namespaces/1/device_path");
        NvmetFixture.write(theirs, "/dev/sdz\n");
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(Failure.NotOurs.class, "/dev/sdz", () -> exporter.export(volume, TestWork.patient()));
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }

        assertThat(theirs).hasContent("/dev/sdz");
        assertThat(fixture.config()).doesNotExist();
        assertThat(NvmetFixture.children(fixture.subsystem("pvc-1"))).isEqualTo(1);
    }

    @Test
    void a_subsystem_that_passes_a_controller_through_is_not_touched() {
        StoredVolume volume = fixture.volume("pvc-1");
        Path theirs = fixture.subsystem("pvc-1").resolve("passthru/device_path");
        NvmetFixture.write(theirs, "/dev/nvme0\n");
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(
                    Failure.NotOurs.class, "/dev/nvme0", () -> exporter.export(volume, TestWork.patient()));
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }

        assertThat(theirs).hasContent("/dev/nvme0");
        assertThat(fixture.config()).doesNotExist();
    }

    @Test
    void a_saved_subsystem_of_that_name_with_another_device_is_not_touched() {
        String saved = NvmetFixture.SAVED_OTHER.replace("other", NvmetFixture.BASE + ":pvc-1");
        NvmetFixture.write(fixture.config(), saved);
        StoredVolume volume = fixture.volume("pvc-1");
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(Failure.NotOurs.class, "/dev/sdz", () -> exporter.export(volume, TestWork.patient()));
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }

        assertThat(fixture.config()).hasContent(saved);
        fixture.nothingIsMade(volume);
    }

    @Test
    void what_was_not_ours_is_ours_once_it_is_corrected() {
        NvmetFixture.write(fixture.config(), NvmetFixture.SAVED_OTHER.replace("other", NvmetFixture.BASE + ":pvc-1"));
        StoredVolume volume = fixture.volume("pvc-1");
        try (Exporter exporter = fixture.exporter()) {
            Failing.with(Failure.NotOurs.class, () -> exporter.export(volume, TestWork.patient()));
            NvmetFixture.write(fixture.config(), "{}");

            exporter.export(volume, TestWork.patient());

            assertThat(fixture.exports()).isEqualTo(1);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    @Test
    void a_device_beside_others_in_one_subsystem_is_not_taken_out_of_it() {
        StoredVolume volume = fixture.volume("pvc-1");
        fixture.other();
        NvmetFixture.write(
                fixture.root().resolve("subsystems/other/namespaces/2/device_path"), fixture.device("pvc-1") + "\n");
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(
                    Failure.NotOurs.class,
                    "other",
                    () -> exporter.unexport(
                            volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient()));
        }

        assertThat(NvmetFixture.children(fixture.root().resolve("subsystems/other/namespaces")))
                .isEqualTo(2);
    }

    @Test
    void an_export_by_another_name_is_found_by_its_device() {
        StoredVolume volume = fixture.volume("pvc-1");
        try (Exporter before = fixture.exporter(ConfigTrees.with(fixture.file(), "nvmeof.namePrefix", "old-"));
                Exporter now = fixture.exporter()) {
            StoredVolume old = fixture.volume(fixture.birth("pvc-1"), Map.of());
            before.export(old, TestWork.patient());
            assertThat(fixture.subsystem("old-pvc-1")).exists();

            now.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());
        }

        assertThat(fixture.exports()).isZero();
    }

    @Test
    void a_missing_port_is_named_before_anything_is_made() {
        StoredVolume volume = fixture.volume("pvc-1");
        try (Exporter exporter = fixture.exporter(
                ConfigTrees.with(fixture.file(), "nvmeof.shareStrategyNvmetCli.ports", List.of("1", "7")))) {
            NvmetFixture.refused(
                    Failure.BackendUnavailable.class, "no port 7", () -> exporter.export(volume, TestWork.patient()));
        }

        fixture.nothingIsMade(volume);
    }

    @Test
    void a_kernel_without_its_target_is_told_and_what_to_do() throws IOException {
        StoredVolume volume = fixture.volume("pvc-1");
        Files.delete(fixture.root().resolve("subsystems"));
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(
                    Failure.BackendUnavailable.class,
                    "load the kernel's module nvmet",
                    () -> exporter.export(volume, TestWork.patient()));
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    @Test
    void an_attribute_that_the_kernel_does_not_have_is_named() {
        StoredVolume volume = fixture.volume("pvc-1");
        try (Exporter exporter = fixture.exporter(
                ConfigTrees.with(fixture.file(), "nvmeof.shareStrategyNvmetCli.subsystem.attributes.colour", "red"))) {
            NvmetFixture.refused(
                    Failure.BackendRejected.class, "'colour'", () -> exporter.export(volume, TestWork.patient()));
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }

        fixture.nothingIsMade(volume);
    }

    @Test
    void a_device_that_does_not_appear_is_told_and_nothing_is_shown() {
        StoredVolume volume = fixture.volume("pvc-1");
        fixture.remove(volume);
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(
                    Failure.BackendUnavailable.class,
                    "did not appear",
                    () -> exporter.export(volume, TestWork.patient()));
        }

        fixture.nothingIsMade(volume);
    }
}
