package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Volumes that democratic-csi's {@code freenas-…} made, with its properties, shares and targets. */
class HybridPeersTest {
    private static final String PVC = "tank/k8s/v/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Stream.of("nfs", "smb", "iscsi", "nvmeof")
                .flatMap(protocol -> Stream.of(Arguments.of(protocol, true), Arguments.of(protocol, false)));
    }

    /** @param byHybrid whether its volumes go on by SSH, or by the API alone */
    @ParameterizedTest
    @MethodSource("cells")
    void a_volume_of_democratic_csi_is_listed_grown_snapshotted_and_deleted(String protocol, boolean byHybrid) {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            Set<String> before = box.rows();
            Map<String, Object> context = make(box, protocol);
            String file = byHybrid ? box.hybrid(protocol) : box.api(protocol);
            try (OneConnectionFixture fixture = new OneConnectionFixture(HybridBox.backend(file))) {
                VolumeView found = fixture.useCases()
                        .listVolumes()
                        .list(Optional.empty(), 0, TestWork.patient())
                        .items()
                        .getFirst();
                assertThat(found.handle()).isEqualTo("v:nas/pvc-1");
                Map<String, String> expected = new HashMap<>(Map.of("provisioner_driver", "freenas-" + protocol));
                context.forEach((key, value) -> expected.put(key, value.toString()));
                assertThat(found.context()).containsExactlyInAnyOrderEntriesOf(expected);

                var _ = fixture.useCases()
                        .expandVolume()
                        .expand(found.handle(), CapacityRange.of(2L << 30, 0), TestWork.patient());
                var snapshot = fixture.useCases()
                        .takeSnapshot()
                        .take(new CsiName("snap-1"), found.handle(), Map.of(), TestWork.patient());
                fixture.useCases().deleteSnapshot().delete(snapshot.handle(), TestWork.patient());
                fixture.useCases().deleteVolume().delete(found.handle(), TestWork.patient());
            }
            assertThat(box.rows()).isEqualTo(before);
            assertThat(box.simulator().broken()).isEmpty();
        }
    }

    /** @param byHybrid whether its volumes go on by SSH, or by the API alone */
    @ParameterizedTest
    @MethodSource("cells")
    void an_attached_snapshot_of_democratic_csi_is_listed_restored_from_and_deleted(String protocol, boolean byHybrid) {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            Set<String> before = box.rows();
            var _ = make(box, protocol);
            box.simulator().write(PVC, 3 << 20, "then");
            Map<String, String> marks = Map.of(
                    "democratic-csi:csi_snapshot_name", "snapshot-1",
                    "democratic-csi:csi_snapshot_source_volume_id", "pvc-1",
                    "democratic-csi:managed_resource", "true",
                    "democratic-csi:provision_success", "true");
            var _ = call(
                    box, "pool.snapshot.create", Map.of("dataset", PVC, "name", "snapshot-1", "properties", marks));
            box.simulator().write(PVC, 1 << 20, "now");
            String file = byHybrid ? box.hybrid(protocol) : box.api(protocol);
            try (OneConnectionFixture fixture = new OneConnectionFixture(HybridBox.backend(file))) {
                SnapshotView found = fixture.useCases()
                        .listSnapshots()
                        .list(
                                new ListSnapshots.Query(Optional.empty(), Optional.empty(), Optional.empty(), 0),
                                TestWork.patient())
                        .items()
                        .getFirst();
                assertThat(found.handle()).isEqualTo("s:nas/pvc-1@snapshot-1");
                assertThat(found.sourceVolume()).isEqualTo("v:nas/pvc-1");
                assertThat(fixture.useCases()
                                .takeSnapshot()
                                .take(new CsiName("snapshot-1"), found.sourceVolume(), Map.of(), TestWork.patient()))
                        .isEqualTo(found);
                assertThat(box.properties(PVC + "@snapshot-1")).isEqualTo(marks);

                VolumeView restored = fixture.create(
                        "pvc-2", CapacityRange.of(1L << 30, 0), new Source.Snapshot(found.handle()), Map.of());

                assertThat(content(box, "tank/k8s/v/pvc-2")).isEqualTo("then");
                fixture.useCases().deleteVolume().delete(restored.handle(), TestWork.patient());
                fixture.useCases().deleteSnapshot().delete(found.handle(), TestWork.patient());
                fixture.useCases().deleteVolume().delete(found.sourceVolume(), TestWork.patient());
            }
            assertThat(box.rows()).isEqualTo(before);
            assertThat(box.simulator().broken()).isEmpty();
        }
    }

    private static String content(HybridBox box, String dataset) {
        return box.simulator()
                .dump()
                .getAsJsonObject("dataset")
                .getAsJsonObject(dataset)
                .get("content")
                .getAsString();
    }

    /** Makes a volume and what exports it, as democratic-csi leaves them; returns its context. */
    private static Map<String, Object> make(HybridBox box, String protocol) {
        boolean block = HybridBox.isBlock(protocol);
        var _ = call(
                box,
                "pool.dataset.create",
                block
                        ? Map.of("name", PVC, "type", "VOLUME", "volsize", 1L << 30)
                        : Map.of("name", PVC, "refquota", 1L << 30));
        Map<String, Object> context = new HashMap<>(Map.of("node_attach_driver", protocol));
        Map<String, String> properties = new HashMap<>(Map.of(
                "csi_volume_name", "pvc-1",
                "managed_resource", "true",
                "provision_success", "true",
                "volume_context_provisioner_driver", "freenas-" + protocol));
        switch (protocol) {
            case "nfs" -> {
                properties.put("freenas_nfs_share_id", call(box, "sharing.nfs.create", Map.of("path", "/mnt/" + PVC)));
                context.putAll(Map.of("server", "192.0.2.1", "share", "/mnt/" + PVC));
            }
            case "smb" -> {
                Map<String, Object> share = Map.of(
                        "path",
                        "/mnt/" + PVC,
                        "name",
                        "pvc-1",
                        "purpose",
                        "LEGACY_SHARE",
                        "options",
                        Map.of("purpose", "LEGACY_SHARE"));
                properties.put("freenas_smb_share_id", call(box, "sharing.smb.create", share));
                context.putAll(Map.of("server", "192.0.2.1", "share", "pvc-1"));
            }
            case "iscsi" -> {
                String target = call(
                        box,
                        "iscsi.target.create",
                        Map.of(
                                "name",
                                "pvc-1",
                                "mode",
                                "ISCSI",
                                "groups",
                                List.of(Map.of("portal", 1, "authmethod", "NONE"))));
                String extent = call(
                        box, "iscsi.extent.create", Map.of("name", "pvc-1", "type", "DISK", "disk", "zvol/" + PVC));
                String link = call(
                        box,
                        "iscsi.targetextent.create",
                        Map.of("target", Long.valueOf(target), "extent", Long.valueOf(extent), "lunid", 0));
                properties.putAll(Map.of(
                        "freenas_iscsi_target_id", target,
                        "freenas_iscsi_extent_id", extent,
                        "freenas_iscsi_targettoextent_id", link,
                        "freenas_iscsi_assets_name", "pvc-1"));
                context.putAll(Map.of(
                        "portal",
                        "192.0.2.1:3260",
                        "portals",
                        "",
                        "interface",
                        "",
                        "iqn",
                        "iqn.2005-10.org.freenas.ctl:pvc-1",
                        "lun",
                        0));
            }
            default -> {
                String subsystem = call(box, "nvmet.subsys.create", Map.of("name", "pvc-1", "allow_any_host", true));
                String namespace = call(
                        box,
                        "nvmet.namespace.create",
                        Map.of(
                                "device_type",
                                "ZVOL",
                                "device_path",
                                "zvol/" + PVC,
                                "subsys_id",
                                Long.valueOf(subsystem)));
                var _ = call(
                        box, "nvmet.port_subsys.create", Map.of("port_id", 1, "subsys_id", Long.valueOf(subsystem)));
                properties.putAll(Map.of(
                        "freenas_nvmeof_subsystem_id", subsystem,
                        "freenas_nvmeof_namespace_id", namespace,
                        "freenas_nvmeof_assets_name", "pvc-1"));
                context.putAll(Map.of(
                        "transport", "tcp://192.0.2.1:4420",
                        "transports", "",
                        "nqn", "nqn.2011-06.com.truenas:uuid:00000000-1111-2222-3333-444444444444:pvc-1",
                        "nsid", 1));
            }
        }
        properties.put("csi_share_volume_context", new Gson().toJson(context));
        box.simulator().tamper("dataset", PVC, row -> {
            properties.forEach((key, value) -> row.getAsJsonObject("user").addProperty("democratic-csi:" + key, value));
            return row;
        });
        return context;
    }

    /** Makes a call as an administrator does; returns the number of what it has made, if that has one. */
    private static String call(HybridBox box, String method, Map<String, Object> argument) {
        var arguments = new Gson().toJsonTree(List.of(argument)).getAsJsonArray();
        JsonObject made = box.simulator().call(method, arguments).getAsJsonObject();
        return made.get("id").getAsString();
    }
}
