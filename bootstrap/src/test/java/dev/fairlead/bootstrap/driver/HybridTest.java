package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.Trial;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The types {@code freenas-…}: ZFS by SSH, and shares by the API of the same box, both as production makes them. */
class HybridTest {
    private static final String PVC = "tank/k8s/v/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Arrays.stream(Profile.values())
                .flatMap(profile ->
                        Stream.of("nfs", "smb", "iscsi", "nvmeof").map(protocol -> Arguments.of(profile, protocol)));
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
        Map<String, String> copies =
                Map.of("detachedVolumesFromSnapshots", "true", "detachedVolumesFromVolumes", "true");
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
                    .replace("nfs: {", "nfs: {shareCommentTemplate: \"{{ name }} is {{ zfs.datasetName }}\", ");
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

    /** An exporter's few commands go where the store's go. */
    @ParameterizedTest
    @CsvSource({"iscsi, resync_size", "nvmeof, revalidate_size"})
    void a_target_is_told_of_growth_by_the_one_session_that_the_store_has(String protocol, String told) {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder);
                OneConnectionFixture fixture = open(box.hybrid(protocol))) {
            VolumeView view = fixture.create("pvc-1");
            assertThat(box.ssh().lines()).noneMatch(line -> line.contains(told));

            var _ = fixture.useCases()
                    .expandVolume()
                    .expand(view.handle(), CapacityRange.of(1L << 30, 0), TestWork.patient());

            assertThat(box.ssh().lines())
                    .filteredOn(line -> line.contains(told))
                    .hasSize(1);
            assertThat(box.ssh().logins()).isEqualTo(1);
        }
    }

    static Stream<Arguments> roles() {
        return Stream.of(
                Arguments.of("nfs", Set.of("SHARING_NFS_READ", "SHARING_NFS_WRITE")),
                Arguments.of("smb", Set.of("SHARING_SMB_READ", "SHARING_SMB_WRITE")),
                Arguments.of(
                        "iscsi",
                        Set.of(
                                "SHARING_ISCSI_GLOBAL_READ",
                                "SHARING_ISCSI_PORTAL_READ",
                                "SHARING_ISCSI_TARGET_READ",
                                "SHARING_ISCSI_TARGET_WRITE",
                                "SHARING_ISCSI_EXTENT_READ",
                                "SHARING_ISCSI_EXTENT_WRITE",
                                "SHARING_ISCSI_TARGETEXTENT_READ",
                                "SHARING_ISCSI_TARGETEXTENT_WRITE",
                                "SHARING_ISCSI_INITIATOR_READ",
                                "SHARING_ISCSI_INITIATOR_WRITE")),
                Arguments.of("nvmeof", Set.of("SHARING_NVME_TARGET_READ", "SHARING_NVME_TARGET_WRITE")));
    }

    /** As the page of TrueNAS says. */
    @ParameterizedTest
    @MethodSource("roles")
    void the_api_s_user_needs_the_roles_of_the_protocol_and_of_datasets_only_for_publishing(
            String protocol, Set<String> roles) {
        try (HybridBox box = new HybridBox(Profile.V26, folder)) {
            Set<String> before = box.rows();
            live(box, protocol, "open", roles);
            Set<String> more = new HashSet<>(roles);
            more.addAll(Set.of("DATASET_READ", "DATASET_WRITE"));
            live(box, protocol, "nodes", more);
            assertThat(box.rows()).isEqualTo(before);
        }
    }

    private static void live(HybridBox box, String protocol, String publish, Set<String> roles) {
        box.simulator().user("csi-" + publish, "secret", roles);
        String file = box.hybrid(protocol)
                .replaceFirst(
                        "apiKey: [^}]*}",
                        "username: csi-" + publish + ", apiKey: "
                                + box.simulator().key("csi-" + publish) + "}")
                .replace("fairlead: {", "fairlead: {publish: " + publish + ", ");
        try (OneConnectionFixture fixture = open(file)) {
            VolumeView view = fixture.create("pvc-1");
            if (publish.equals("nodes")) {
                String node = "n=node-1/i1=node-1/vu=00000000-0000-4000-8000-000000000001/a=198.51.100.1";
                var _ = fixture.useCases()
                        .publishVolume()
                        .publish(
                                new PublishVolume.Command(view.handle(), node, TestVolumes.MOUNT, false),
                                TestWork.patient());
                fixture.useCases().unpublishVolume().unpublish(view.handle(), Optional.of(node), TestWork.patient());
            }
            fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());
        }
    }

    private static String field(HybridBox box, String table, String field) {
        return box.simulator().dump().getAsJsonObject(table).asMap().values().stream()
                .map(row -> row.getAsJsonObject().get(field).getAsString())
                .findFirst()
                .orElseThrow();
    }
}
