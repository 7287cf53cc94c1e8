package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others do on a storage host meanwhile, and what was saved there before, is kept. */
class NvmetWritersTest {
    private final NvmetFixture fixture;

    NvmetWritersTest(@TempDir Path folder) {
        fixture = new NvmetFixture(folder);
    }

    @Test
    void a_script_that_dies_between_any_two_changes_is_finished_by_a_retry() {
        StoredVolume volume = fixture.volume("pvc-1");
        try (Exporter exporter = fixture.exporter()) {
            Export whole = exporter.export(volume, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            int died = 0;
            boolean dying = true;
            for (int changes = 1; dying; changes++) {
                int before = died;
                fixture.host().killAfter(changes);
                died += Failing.works(() -> exporter.export(volume, TestWork.patient())) ? 0 : 1;
                fixture.host().killAfter(0);
                assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(whole);
                assertThat(fixture.exports()).isEqualTo(1);

                fixture.host().killAfter(changes);
                died += Failing.works(() -> exporter.unexport(
                                volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient()))
                        ? 0
                        : 1;
                fixture.host().killAfter(0);
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());
                assertThat(fixture.exports()).isZero();
                dying = died > before;
            }
            assertThat(died).isGreaterThan(20);
        }
    }

    @Test
    void nothing_is_done_until_the_host_has_restored_its_configuration() {
        StoredVolume volume = fixture.volume("pvc-1");
        Path marker = fixture.config().resolveSibling("imported");
        try (Exporter exporter = fixture.exporter(ConfigTrees.with(
                fixture.file(), "nvmeof.shareStrategyNvmetCli.configIsImportedFilePath", marker.toString()))) {
            NvmetFixture.refused(
                    Failure.BackendUnavailable.class,
                    "not restored",
                    () -> exporter.export(volume, TestWork.patient()));
            NvmetFixture.refused(
                    Failure.BackendUnavailable.class,
                    "not restored",
                    () -> exporter.unexport(
                            volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient()));
            fixture.nothingIsMade(volume);

            NvmetFixture.write(marker, "");
            exporter.export(volume, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    /** As after a start of the host that has not restored its configuration. */
    @Test
    void nothing_is_saved_over_a_configuration_that_is_not_restored() {
        NvmetFixture.write(fixture.config(), NvmetFixture.SAVED_OTHER);
        StoredVolume volume = fixture.volume("pvc-1");
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(
                    Failure.BackendUnavailable.class,
                    "nvmetcli restore",
                    () -> exporter.export(volume, TestWork.patient()));
            assertThat(fixture.config()).hasContent(NvmetFixture.SAVED_OTHER);
            fixture.nothingIsMade(volume);

            fixture.other();
            exporter.export(volume, TestWork.patient());
            assertThat(NvmetFixture.read(fixture.config()))
                    .contains("\"other\"")
                    .contains(fixture.device("pvc-1").toString());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
        assertThat(SavedConfig.read(NvmetFixture.read(fixture.config())))
                .isEqualTo(SavedConfig.read(NvmetFixture.SAVED_OTHER));
    }

    @Test
    void a_saved_configuration_that_cannot_be_read_stays_as_it_is() {
        StoredVolume volume = fixture.volume("pvc-1");
        NvmetFixture.write(fixture.config(), "{\"subsystems\": [");
        try (Exporter exporter = fixture.exporter()) {
            NvmetFixture.refused(
                    Failure.BackendRejected.class,
                    "nothing was changed",
                    () -> exporter.export(volume, TestWork.patient()));
        }

        assertThat(fixture.config()).hasContent("{\"subsystems\": [");
        fixture.nothingIsMade(volume);
    }

    @Test
    void what_another_saves_in_between_is_kept() {
        StoredVolume volume = fixture.volume("pvc-1");
        fixture.other();
        try (Exporter exporter = fixture.exporter()) {
            exporter.export(volume, TestWork.patient());
            StoredVolume second = fixture.volume("pvc-2");
            fixture.host().beforeNext(() -> NvmetFixture.write(fixture.config(), NvmetFixture.SAVED_OTHER));

            exporter.export(second, TestWork.patient());

            String saved = NvmetFixture.read(fixture.config());
            assertThat(saved).contains("/dev/sdz").contains(second.medium().path());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            exporter.unexport(second.id(), Optional.of(second.medium()), Optional.of(second), TestWork.patient());
        }
    }

    /** Each has a view of its own, as two processes have. */
    @Test
    void several_writers_at_once_lose_nothing() {
        List<Runnable> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Exporter exporter = fixture.exporter();
            StoredVolume one = fixture.volume("pvc-" + i + "a");
            StoredVolume two = fixture.volume("pvc-" + i + "b");
            writers.add(() -> {
                exporter.export(one, TestWork.patient());
                exporter.export(two, TestWork.patient());
                exporter.unexport(one.id(), Optional.of(one.medium()), Optional.of(one), TestWork.patient());
            });
        }

        Concurrently.run(writers);

        String saved = NvmetFixture.read(fixture.config());
        for (int i = 0; i < 4; i++) {
            assertThat(saved).contains("pvc-" + i + "b\"").doesNotContain("pvc-" + i + "a");
            assertThat(fixture.subsystem("pvc-" + i + "b")).exists();
        }
        assertThat(fixture.exports()).isEqualTo(4);
    }

    @Test
    void a_lock_that_another_holds_is_waited_for_and_then_named() throws Exception {
        StoredVolume volume = fixture.volume("pvc-1");
        Process holder =
                new ProcessBuilder("flock", fixture.places().lock().file(), "sh", "-c", "echo held; read -r _").start();
        try (Exporter exporter = fixture.exporter()) {
            assertThat(holder.getInputStream().read()).isEqualTo('h');

            NvmetFixture.refused(
                    Failure.BackendUnavailable.class,
                    fixture.places().lock().file(),
                    () -> exporter.export(volume, TestWork.patient()));

            holder.getOutputStream().close();
            exporter.export(volume, TestWork.patient());
        } finally {
            holder.getOutputStream().close();
            holder.waitFor();
        }
    }

    @Test
    void a_peers_volume_keeps_what_its_hosts_know_it_by() {
        StoredVolume volume = fixture.volume("pvc-1");
        Path subsystem = fixture.subsystem("pvc-1");
        NvmetFixture.write(subsystem.resolve("namespaces/1/device_path"), fixture.device("pvc-1") + "\n");
        NvmetFixture.write(subsystem.resolve("namespaces/1/device_uuid"), "11111111-2222-3333-4444-555555555555\n");
        NvmetFixture.write(subsystem.resolve("namespaces/1/device_nguid"), "00000000-0000-0000-0000-000000000000\n");
        NvmetFixture.write(subsystem.resolve("namespaces/1/enable"), "1\n");
        NvmetFixture.write(subsystem.resolve("attr_allow_any_host"), "1\n");
        NvmetFixture.write(subsystem.resolve("attr_serial"), "cafe\n");
        try (Exporter exporter = fixture.exporter()) {
            exporter.export(volume, TestWork.patient());

            assertThat(NvmetFixture.read(fixture.config()))
                    .contains("\"uuid\": \"11111111-2222-3333-4444-555555555555\"")
                    .contains("\"serial\": \"cafe\"");
            assertThat(subsystem.resolve("attr_serial")).hasContent("cafe");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    @Test
    void a_disk_that_is_saved_is_shown_again_as_it_was() {
        StoredVolume volume = fixture.volume("pvc-1");
        NvmetFixture.write(
                fixture.config(),
                NvmetFixture.SAVED_OTHER
                        .replace("other", NvmetFixture.BASE + ":pvc-1")
                        .replace(
                                "\"/dev/sdz\"",
                                "\"" + fixture.device("pvc-1")
                                        + "\", \"uuid\": \"11111111-2222-3333-4444-555555555555\""));
        try (Exporter exporter = fixture.exporter()) {
            exporter.export(volume, TestWork.patient());

            assertThat(fixture.subsystem("pvc-1").resolve("namespaces/1/device_uuid"))
                    .hasContent("11111111-2222-3333-4444-555555555555");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    @Test
    void the_saved_file_keeps_its_mode_and_the_link_that_leads_to_it() throws IOException {
        StoredVolume volume = fixture.volume("pvc-1");
        Path real = fixture.config().resolveSibling("real.json");
        NvmetFixture.write(real, "{}");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Files.createSymbolicLink(fixture.config(), real);
        try (Exporter exporter = fixture.exporter()) {
            exporter.export(volume, TestWork.patient());

            assertThat(fixture.config()).isSymbolicLink();
            assertThat(NvmetFixture.read(real)).contains("pvc-1");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                    .isEqualTo("rw-r-----");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }
}
