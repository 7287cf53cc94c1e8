package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.Trial;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The types {@code freenas-…}: ZFS by SSH, and shares by the API of the same box, both as production makes them. */
class HybridTest {
    private static final String PVC = "tank/k8s/v/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Arrays.stream(Profile.values())
                .flatMap(profile -> Stream.of("nfs", "smb", "iscsi", "nvmeof")
                        .map(protocol -> Arguments.of(profile, protocol)));
    }

    private static OneConnectionFixture open(String file) {
        return new OneConnectionFixture(HybridBox.backend(file));
    }

    /** Also on a CORE, whose API cannot keep volumes. */
    @ParameterizedTest
    @MethodSource("cells")
    void a_volume_is_made_by_ssh_and_shared_by_the_api_of_every_release(Profile profile, String protocol) {
        try (HybridBox box = new HybridBox(profile, folder)) {
            Set<String> before = box.rows();
            try (OneConnectionFixture fixture = open(box.hybrid(protocol))) {
                if (protocol.equals("nvmeof") && !profile.since(Profile.V25_10_0)) {
                    assertThatThrownBy(() -> fixture.create("pvc-1"))
                            .isInstanceOfSatisfying(
                                    StorageException.class,
                                    e -> assertThat(e.failure()).isInstanceOf(Failure.Unsupported.class));
                } else {
                    VolumeView view = fixture.create("pvc-1");

                    assertThat(view.context()).containsEntry("node_attach_driver", protocol);
                    assertThat(box.rows()).contains("dataset " + PVC).hasSizeGreaterThan(before.size() + 1);
                    assertThat(fixture.create("pvc-1")).isEqualTo(view);
                    fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());
                }
            }
            assertThat(box.rows()).isEqualTo(before);
            assertThat(box.simulator().broken()).isEmpty();
        }
    }

    /** What the API alone does not have yet comes with the store. */
    @ParameterizedTest
    @ValueSource(strings = {"nfs", "iscsi"})
    void groups_modifications_and_copies_come_with_the_store(String protocol) {
        Map<String, String> copies = Map.of("detachedVolumesFromSnapshots", "true", "detachedVolumesFromVolumes", "true");
        try (HybridBox box = new HybridBox(Profile.V25_10, folder);
                HybridWorld world = new HybridWorld(box, protocol, false)) {
            Stream.concat(
                            ControllerScenarios.ofRoles(Map.of("compression", "zstd", "sync", "always")).stream(),
                            ControllerScenarios.with(copies, Map.of("detachedSnapshots", "true"), "pvc-1/snap-1")
                                    .stream())
                    .forEach(scenario -> assertThat(new Trial<>(world, scenario).effects())
                            .as(scenario.name())
                            .isPositive());
        }
    }

    @Test
    void a_comment_names_the_dataset_though_the_store_learns_its_place_late() {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            String file = box.hybrid("nfs")
                    .replace(
                            "nfs: {",
                            "nfs: {shareCommentTemplate: \"{{ name }} is {{ zfs.datasetName }}\", ");
            try (OneConnectionFixture fixture = open(file)) {
                var _ = fixture.create("pvc-1");
            }
            assertThat(field(box, "nfs_share", "comment")).isEqualTo("pvc-1 is " + PVC);
        }
    }

    @Test
    void a_share_of_smb_has_the_name_of_its_template() {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            String file = box.hybrid("smb").replace("smb: {", "smb: {nameTemplate: \"of-{{ name }}\", ");
            try (OneConnectionFixture fixture = open(file)) {
                assertThat(fixture.create("pvc-1").context()).containsEntry("share", "of-pvc-1");
            }
            assertThat(field(box, "smb_share", "name")).isEqualTo("of-pvc-1");
            assertThat(box.properties(PVC).getOrDefault("democratic-csi:csi_share_volume_context", ""))
                    .contains("\"share\":\"of-pvc-1\"");
        }
    }

    /** The leaf of a dataset may have a colon. */
    @Test
    void a_name_that_no_share_of_smb_can_have_is_refused_before_anything_is_made() {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            Set<String> before = box.rows();
            try (OneConnectionFixture fixture = open(box.hybrid("smb"))) {
                assertThatThrownBy(() -> fixture.create("pvc:1"))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                e -> assertThat(e.failure()).isInstanceOf(Failure.InvalidRequest.class));
            }
            assertThat(box.rows()).isEqualTo(before);
        }
    }

    @Test
    void a_root_has_the_mode_of_the_file() {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder);
                OneConnectionFixture fixture = open(box.hybrid("nfs"))) {
            var _ = fixture.create("pvc-1");

            JsonObject perm = box.simulator()
                    .dump()
                    .getAsJsonObject("dataset")
                    .getAsJsonObject(PVC)
                    .getAsJsonObject("perm");
            assertThat(perm.get("mode").getAsInt()).isEqualTo(0x1ff);
        }
    }

    private static String field(HybridBox box, String table, String field) {
        return box.simulator().dump().getAsJsonObject(table).asMap().values().stream()
                .map(row -> row.getAsJsonObject().get(field).getAsString())
                .findFirst()
                .orElseThrow();
    }
}
