package dev.fairlead.adapter.freenas.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.iscsi.FreenasIscsiExporter;
import dev.fairlead.adapter.freenas.iscsi.IscsiSettings;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.nvmet.FreenasNvmeofExporter;
import dev.fairlead.adapter.freenas.nvmet.SubsystemSettings;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a target is told when something else than the API has grown its volume, by a real shell over a folder of files.
 */
class TargetGrowthTest {
    private static final String NAMESPACE = "kernel/config/nvmet/subsystems/%s/namespaces/%d/revalidate_size";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private record ShellRunner() implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            List<Ended> ended = new ArrayList<>();
            work.effect(command.effect(), () -> ended.add(shell(command.argv())));
            return ended.getFirst();
        }

        private static Ended shell(List<String> argv) {
            try {
                Process process =
                        new ProcessBuilder(argv).redirectErrorStream(true).start();
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return Ended.with(process.waitFor(), "", said);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {}
    }

    private TargetGrowth growth() {
        var host = new StorageHost(new ShellRunner(), false, Elevation.NONE);
        SharedClient<StorageHost> shared = new SharedClient<>() {
            @Override
            public StorageHost get() {
                return host;
            }

            @Override
            public void close() {}
        };
        return new TargetGrowth("nas", shared, Elevation.NONE, folder.toString());
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }

    @ParameterizedTest
    @CsvSource({
        "csi-pvc.1,   kernel/scst_tgt/devices/csi-pvc_1/resync_size,             1",
        "csi-pvc.1,   kernel/config/target/core/iblock_0/csi-pvc.1/control,      rescan",
    })
    void an_extent_is_read_anew_by_the_target_that_the_box_has(String extent, String path, String told)
            throws IOException {
        Path file = file(path);

        growth().iscsi(extent, TestWork.patient());

        assertThat(file).hasContent(told);
    }

    @Test
    void a_namespace_is_read_anew() throws IOException {
        String nqn = "nqn.2011-06.com.truenas:uuid:1:csi-pvc-1";
        Path file = file(NAMESPACE.formatted(nqn, 3));

        growth().nvmeof(nqn, 3, TestWork.patient());

        assertThat(file).hasContent("1");
    }

    /** As while the service is off: it reads all sizes when it begins. */
    @Test
    void nothing_is_done_if_nothing_shows_the_volume() {
        growth().iscsi("csi-pvc-1", TestWork.patient());
        growth().nvmeof("nqn.2011-06.com.truenas:uuid:1:csi-pvc-1", 1, TestWork.patient());

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_target_that_cannot_be_told_is_told_by_a_repetition() throws IOException {
        Files.createDirectories(folder.resolve("kernel/scst_tgt/devices/csi-pvc-1/resync_size"));

        assertThatThrownBy(() -> growth().iscsi("csi-pvc-1", TestWork.patient()))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining("csi-pvc-1");
    }

    @Test
    void the_exporter_of_iscsi_tells_the_target_of_the_volume_s_extent() throws IOException {
        try (var box = new SimulatedBox(Profile.V25_10, folder.resolve("box"))) {
            Map<String, Object> block = Map.of(
                    "targetPortal",
                    "10.0.0.100:3260",
                    "namePrefix",
                    "csi-",
                    "targetGroups",
                    List.of(Map.of("targetGroupPortalGroup", 1, "targetGroupInitiatorGroup", "-1")));
            IscsiSettings settings =
                    IscsiSettings.read(ExportedVolumes.file(Map.of("iscsi", block), new Problems("nas.yaml")));
            var exporter = new FreenasIscsiExporter(
                    box.client(), settings, new HostTurns(), "nas", NoteLook.NONE, Optional.of(growth()));
            StoredVolume volume = exported(box, exporter);
            Path file = file("kernel/scst_tgt/devices/csi-pvc-1/resync_size");

            exporter.expanded(volume, TestWork.patient());

            assertThat(file).hasContent("1");
        }
    }

    @Test
    void the_exporter_of_nvme_tells_the_subsystem_of_the_volume() throws IOException {
        try (var box = new SimulatedBox(Profile.V25_10, folder.resolve("box"))) {
            Map<String, Object> block = Map.of("transport", "tcp://10.0.0.100:4420", "ports", List.of(1));
            SubsystemSettings settings =
                    SubsystemSettings.read(ExportedVolumes.file(Map.of("nvmeof", block), new Problems("nas.yaml")));
            var exporter = new FreenasNvmeofExporter(
                    box.client(),
                    settings,
                    new LateCalls(InstantSource.system()),
                    new HostTurns(),
                    "nas",
                    NoteLook.NONE,
                    Optional.of(growth()));
            StoredVolume volume = exported(box, exporter);
            var way = (Attachment.Nvmeof)
                    exporter.attachment(volume, TestWork.patient()).orElseThrow();
            Path file = file(NAMESPACE.formatted(way.nqn(), way.nsid()));

            exporter.expanded(volume, TestWork.patient());

            assertThat(file).hasContent("1");
        }
    }

    private static StoredVolume exported(SimulatedBox box, Exporter exporter) {
        var volumes = new ExportedVolumes(box, VolumeMedium.Kind.BLOCK_DEVICE);
        StoredVolume volume = volumes.volume(volumes.birth("pvc-1"), Map.of());
        var _ = exporter.export(volume, TestWork.patient());
        return volume;
    }
}
