package dev.fairlead.bootstrap.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real connection files, read as the affinity process reads them. */
class FolderPlacesTest {
    private static final String NAS = """
            driver: zfs-generic-nfs
            sshConnection: {host: nas.example.org, port: 22, username: root, password: secret}
            zfs: {datasetParentName: tank/v}
            nfs:
              shareHost: nas.example.org
              shareStrategy: setDatasetProperties
              shareStrategySetDatasetProperties: {properties: {sharenfs: "on"}}
            """;
    private static final String IN_Z1 = NAS + "proxy: {perDriver: {topology: [{requirements: {zone: z1}}]}}\n";

    @TempDir
    Path folder;

    private Path main = Path.of("main.yaml");

    @BeforeEach
    void configure() throws IOException {
        Files.createDirectories(folder.resolve("c"));
        main = Files.writeString(
                folder.resolve("main.yaml"),
                "driver: proxy\nproxy: {configFolder: " + folder.resolve("c") + ", nodeTopology: {type: node}}\n");
    }

    @Test
    void an_edited_topology_holds_for_volumes_that_are_there() throws IOException {
        write("nas", IN_Z1);
        PlacementSource source = source();
        assertThat(affinity(source)).contains("zone=z1");

        write("nas", IN_Z1.replace("z1", "z2"));
        assertThat(affinity(source)).contains("zone=z2").doesNotContain("z1");

        write("nas", NAS);
        assertThat(reading(source).placement()).isEqualTo(VolumePlacement.anywhere());
    }

    @Test
    void a_file_that_breaks_or_goes_makes_its_volumes_unknown() throws IOException {
        write("nas", IN_Z1);
        PlacementSource source = source();

        write("nas", IN_Z1.replace("zone: z1", "zone: 'z 1'"));
        assertThat(reading(source).placement()).isInstanceOf(VolumePlacement.Unknown.class);
        assertThat(reading(source).reason()).doesNotContain("secret");

        Files.delete(folder.resolve("c/nas.yaml"));
        assertThat(reading(source).placement()).isInstanceOf(VolumePlacement.Unknown.class);
    }

    @Test
    void a_file_that_is_just_being_written_opens_no_volume_even_at_the_first_look() throws IOException {
        Files.writeString(folder.resolve("c/nas.yaml"), NAS);

        assertThat(reading(source()).placement()).isInstanceOf(VolumePlacement.Unknown.class);
    }

    @Test
    void an_edit_is_told_soon() throws Exception {
        write("nas", IN_Z1);
        PlacementSource source = source();
        Semaphore told = new Semaphore(0);
        source.listen(new PlacementHints() {
            @Override
            public void moved(String handle) {}

            @Override
            public void anyMoved() {
                told.release();
            }
        });
        assertThat(told.tryAcquire(5, TimeUnit.SECONDS)).as("the first look").isTrue();

        write("nas", IN_Z1.replace("z1", "z2"));

        assertThat(told.tryAcquire(4, TimeUnit.SECONDS)).as("the edit").isTrue();
        source.close();
    }

    @Test
    void volumes_of_a_nodes_own_storage_are_nobodys() throws IOException {
        write("nas", """
                driver: local-hostpath
                local-hostpath: {shareBasePath: /s, controllerBasePath: /s}
                proxy: {perDriver: {topology: [{requirements: {zone: z1}}]}}
                """);

        assertThat(source().answersFor(volume())).isFalse();
    }

    @Test
    void a_single_drivers_file_is_refused() throws IOException {
        Files.writeString(main, NAS);

        assertThatThrownBy(this::source).isInstanceOf(InvalidConfigException.class);
    }

    private PlacementSource source() {
        return AffinitySources.connections(main, List.of("org.example.csi"), Map.of());
    }

    /** As written a while ago, since a file that was written just now is not read yet. */
    private void write(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve("c").resolve(name + ".yaml"), content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    }

    private static PlacementReading reading(PlacementSource source) {
        return Objects.requireNonNull(source.read(List.of(volume())).get("pv"));
    }

    private static String affinity(PlacementSource source) {
        PlacementReading reading = reading(source);
        return NodeAffinity.of(reading.placement()).map(NodeAffinity::toString).orElseGet(reading::toString);
    }

    private static PlacedVolume volume() {
        return new PlacedVolume(
                "pv", "org.example.csi", "v:nas/vol-1", Map.of(), Map.of(), Optional.empty(), Optional.empty());
    }
}
