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
    private final NvmetBench bench;

    NvmetWritersTest(@TempDir Path folder) {
        bench = new NvmetBench(folder);
    }

    @Test
    void a_script_that_dies_between_any_two_changes_is_finished_by_a_retry() {
        StoredVolume volume = bench.volume("pvc-1");
        try (Exporter exporter = bench.exporter()) {
            Export whole = exporter.export(volume, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            int died = 0;
            boolean dying = true;
            for (int changes = 1; dying; changes++) {
                int before = died;
                bench.host().killAfter(changes);
                died += Failing.works(() -> exporter.export(volume, TestWork.patient())) ? 0 : 1;
                bench.host().killAfter(0);
                assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(whole);
                assertThat(bench.exports()).isEqualTo(1);

                bench.host().killAfter(changes);
                died += Failing.works(() -> exporter.unexport(
                                volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient()))
                        ? 0
                        : 1;
                bench.host().killAfter(0);
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());
                assertThat(bench.exports()).isZero();
                dying = died > before;
            }
            assertThat(died).isGreaterThan(20);
        }
    }

    @Test
    void nothing_is_done_until_the_host_has_restored_its_configuration() {
        StoredVolume volume = bench.volume("pvc-1");
        Path marker = bench.config().resolveSibling("imported");
        try (Exporter exporter = bench.exporter(ConfigTrees.with(
                bench.file(), "nvmeof.shareStrategyNvmetCli.configIsImportedFilePath", marker.toString()))) {
            NvmetBench.refused(
                    Failure.BackendUnavailable.class,
                    "not restored",
                    () -> exporter.export(volume, TestWork.patient()));
            NvmetBench.refused(
                    Failure.BackendUnavailable.class,
                    "not restored",
                    () -> exporter.unexport(
                            volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient()));
            bench.nothingIsMade(volume);

            NvmetBench.write(marker, "");
            exporter.export(volume, TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    /** As after a start of the host that has not restored its configuration. */
    @Test
    void nothing_is_saved_over_a_configuration_that_is_not_restored() {
        NvmetBench.write(bench.config(), NvmetBench.SAVED_OTHER);
        StoredVolume volume = bench.volume("pvc-1");
        try (Exporter exporter = bench.exporter()) {
            NvmetBench.refused(
                    Failure.BackendUnavailable.class,
                    "nvmetcli restore",
                    () -> exporter.export(volume, TestWork.patient()));
            assertThat(bench.config()).hasContent(NvmetBench.SAVED_OTHER);
            bench.nothingIsMade(volume);

            bench.other();
            exporter.export(volume, TestWork.patient());
            assertThat(NvmetBench.read(bench.config()))
                    .contains("\"other\"")
                    .contains(bench.device("pvc-1").toString());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
        assertThat(SavedConfig.read(NvmetBench.read(bench.config())))
                .isEqualTo(SavedConfig.read(NvmetBench.SAVED_OTHER));
    }

    @Test
    void a_saved_configuration_that_cannot_be_read_stays_as_it_is() {
        StoredVolume volume = bench.volume("pvc-1");
        NvmetBench.write(bench.config(), "{\"subsystems\": [");
        try (Exporter exporter = bench.exporter()) {
            NvmetBench.refused(
                    Failure.BackendRejected.class,
                    "nothing was changed",
                    () -> exporter.export(volume, TestWork.patient()));
        }

        assertThat(bench.config()).hasContent("{\"subsystems\": [");
        bench.nothingIsMade(volume);
    }

    @Test
    void what_another_saves_in_between_is_kept() {
        StoredVolume volume = bench.volume("pvc-1");
        bench.other();
        try (Exporter exporter = bench.exporter()) {
            exporter.export(volume, TestWork.patient());
            StoredVolume second = bench.volume("pvc-2");
            bench.host().beforeNext(() -> NvmetBench.write(bench.config(), NvmetBench.SAVED_OTHER));

            exporter.export(second, TestWork.patient());

            String saved = NvmetBench.read(bench.config());
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
            Exporter exporter = bench.exporter();
            StoredVolume one = bench.volume("pvc-" + i + "a");
            StoredVolume two = bench.volume("pvc-" + i + "b");
            writers.add(() -> {
                exporter.export(one, TestWork.patient());
                exporter.export(two, TestWork.patient());
                exporter.unexport(one.id(), Optional.of(one.medium()), Optional.of(one), TestWork.patient());
            });
        }

        Concurrently.run(writers);

        String saved = NvmetBench.read(bench.config());
        for (int i = 0; i < 4; i++) {
            assertThat(saved).contains("pvc-" + i + "b\"").doesNotContain("pvc-" + i + "a");
            assertThat(bench.subsystem("pvc-" + i + "b")).exists();
        }
        assertThat(bench.exports()).isEqualTo(4);
    }

    @Test
    void a_lock_that_another_holds_is_waited_for_and_then_named() throws Exception {
        StoredVolume volume = bench.volume("pvc-1");
        Process holder =
                new ProcessBuilder("flock", bench.places().lock().file(), "sh", "-c", "echo held; read -r _").start();
        try (Exporter exporter = bench.exporter()) {
            assertThat(holder.getInputStream().read()).isEqualTo('h');

            NvmetBench.refused(
                    Failure.BackendUnavailable.class,
                    bench.places().lock().file(),
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
        StoredVolume volume = bench.volume("pvc-1");
        Path subsystem = bench.subsystem("pvc-1");
        NvmetBench.write(subsystem.resolve("namespaces/1/device_path"), bench.device("pvc-1") + "\n");
        NvmetBench.write(subsystem.resolve("namespaces/1/device_uuid"), "11111111-2222-3333-4444-555555555555\n");
        NvmetBench.write(subsystem.resolve("namespaces/1/device_nguid"), "00000000-0000-0000-0000-000000000000\n");
        NvmetBench.write(subsystem.resolve("namespaces/1/enable"), "1\n");
        NvmetBench.write(subsystem.resolve("attr_allow_any_host"), "1\n");
        NvmetBench.write(subsystem.resolve("attr_serial"), "cafe\n");
        try (Exporter exporter = bench.exporter()) {
            exporter.export(volume, TestWork.patient());

            assertThat(NvmetBench.read(bench.config()))
                    .contains("\"uuid\": \"11111111-2222-3333-4444-555555555555\"")
                    .contains("\"serial\": \"cafe\"");
            assertThat(subsystem.resolve("attr_serial")).hasContent("cafe");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    @Test
    void a_disk_that_is_saved_is_shown_again_as_it_was() {
        StoredVolume volume = bench.volume("pvc-1");
        NvmetBench.write(
                bench.config(),
                NvmetBench.SAVED_OTHER
                        .replace("other", NvmetBench.BASE + ":pvc-1")
                        .replace(
                                "\"/dev/sdz\"",
                                "\"" + bench.device("pvc-1")
                                        + "\", \"uuid\": \"11111111-2222-3333-4444-555555555555\""));
        try (Exporter exporter = bench.exporter()) {
            exporter.export(volume, TestWork.patient());

            assertThat(bench.subsystem("pvc-1").resolve("namespaces/1/device_uuid"))
                    .hasContent("11111111-2222-3333-4444-555555555555");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    @Test
    void the_saved_file_keeps_its_mode_and_the_link_that_leads_to_it() throws IOException {
        StoredVolume volume = bench.volume("pvc-1");
        Path real = bench.config().resolveSibling("real.json");
        NvmetBench.write(real, "{}");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Files.createSymbolicLink(bench.config(), real);
        try (Exporter exporter = bench.exporter()) {
            exporter.export(volume, TestWork.patient());

            assertThat(bench.config()).isSymbolicLink();
            assertThat(NvmetBench.read(real)).contains("pvc-1");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                    .isEqualTo("rw-r-----");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }
}
