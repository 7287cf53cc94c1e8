package dev.fairlead.adapter.freenas.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.export.ExportedVolumes;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.http.Json;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a share of an open volume is taken for if the box writes its networks in another way. */
class NfsNetworksTest {
    private static final List<String> NETWORKS = List.of("10.0.0.5/24", "10.1.2.3", "FD00:0:0:0::5/64");

    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @EnumSource(names = {"CORE_13_0", "SCALE_24_10", "V25_04", "V25_10", "V26"})
    void a_volume_is_shared_with_networks_in_whatever_spelling(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            var volumes = new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
            StoredVolume volume = volumes.volume(volumes.birth("pvc-a"), Map.of());
            var settings = new NfsShareSettings("nas.example.org", List.of(), NETWORKS, Map.of(), Optional.empty());
            var exporter = new FreenasNfsExporter(box.client(), settings, Settled.pending());

            exporter.export(volume, TestWork.patient());
            box.forgetCalls();
            exporter.export(volume, TestWork.patient());

            // It is loaded once more, as a call that was cut may have written its row.
            assertThat(box.calls()).containsExactly("sharing.nfs.query", "sharing.nfs.update", "sharing.nfs.query");
            assertThat(Json.texts(box.shares().getFirst(), "networks")).hasSize(NETWORKS.size());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.5/24, 10.0.0.0/24, true",
        "10.0.0.5/24, 10.0.0.0/25, false",
        "10.0.0.5/24, 10.0.1.0/24, false",
        "10.1.2.3, 10.1.2.3/32, true",
        "192.168.7.1/255.255.0.0, 192.168.0.0/16, true",
        "192.168.7.1/255.0.255.0, 192.168.0.0/16, false",
        "fd00:0:0::1/64, FD00::/64, true",
        "fd00::1, fd00::1/128, true",
        "::/24, 0.0.0.0/24, false",
        "10.0.0.0/33, 10.0.0.0/32, false",
        "storage.example, storage.example, true",
        "storage.example, other.example, false",
    })
    void networks_are_compared_by_what_they_mean(String one, String other, boolean isSame) {
        assertThat(NfsShareEntry.meaning(List.of(one)).equals(NfsShareEntry.meaning(List.of(other))))
                .isEqualTo(isSame);
    }

    @Test
    void a_network_too_many_is_not_taken_for_the_same() {
        assertThat(NfsShareEntry.meaning(List.of("10.0.0.0/24", "10.0.1.0/24")))
                .isNotEqualTo(NfsShareEntry.meaning(List.of("10.0.0.0/24")));
    }
}
