package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.fairlead.adapter.freenas.FreenasExportModule;
import dev.fairlead.adapter.freenas.FreenasHybridModule;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.hybrid.BoxWay;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Volumes that {@code freenas-…} made, in the hands of {@code freenas-api-…}, and the other way round. */
class HybridExchangeTest {
    private static final String PEERS = "democratic-csi:";
    private static final String PVC = "tank/k8s/v/pvc-1";
    private static final String CLONE = "tank/k8s/v/pvc-2";
    private static final String SNAPSHOT = PVC + "@snap-1";

    /** What democratic-csi writes of an export: its keys in its order, without spaces, and numbers as such. */
    private static final Map<String, String> SHARED = Map.of(
            "nfs",
            "{\"node_attach_driver\":\"nfs\",\"server\":\"192.0.2.1\",\"share\":\"/mnt/tank/k8s/v/pvc-1\"}",
            "smb",
            "{\"node_attach_driver\":\"smb\",\"server\":\"192.0.2.1\",\"share\":\"pvc-1\"}",
            "iscsi",
            "{\"node_attach_driver\":\"iscsi\",\"portal\":\"192.0.2.1:3260\",\"portals\":\"\",\"interface\":\"\","
                    + "\"iqn\":\"iqn.2005-10.org.freenas.ctl:pvc-1\",\"lun\":0}",
            "nvmeof",
            "{\"node_attach_driver\":\"nvmeof\",\"transport\":\"tcp://192.0.2.1:4420\",\"transports\":\"\","
                    + "\"nqn\":\"nqn.2011-06.com.truenas:uuid:00000000-1111-2222-3333-444444444444:pvc-1\",\"nsid\":1}");

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> ways() {
        return Stream.of("nfs", "smb", "iscsi", "nvmeof")
                .flatMap(protocol -> Stream.of(Arguments.of(protocol, true), Arguments.of(protocol, false)));
    }

    private static OneConnectionFixture open(HybridBox box, String protocol, boolean hybrid) {
        return new OneConnectionFixture(HybridBox.backend(hybrid ? box.hybrid(protocol) : box.api(protocol)));
    }

    /** @param byHybrid whether the hybrid makes the volumes, and the API alone ends them */
    @ParameterizedTest
    @MethodSource("ways")
    void what_one_made_the_other_lists_grows_snapshots_and_deletes(String protocol, boolean byHybrid) {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            Set<String> before = box.rows();
            VolumeView made;
            SnapshotView snapshot;
            try (OneConnectionFixture first = open(box, protocol, byHybrid)) {
                made = first.create("pvc-1");
                snapshot = take(first, "snap-1", made);
                var _ = first.create("pvc-2", size(1), new Source.Snapshot(snapshot.handle()), Map.of());
            }
            Set<String> meanwhile = box.rows();

            try (OneConnectionFixture second = open(box, protocol, !byHybrid)) {
                assertThat(second.create("pvc-1")).isEqualTo(made);
                assertThat(second.useCases()
                                .listVolumes()
                                .list(Optional.empty(), 0, TestWork.patient())
                                .items())
                        .extracting(VolumeView::handle)
                        .containsExactly("v:nas/pvc-1", "v:nas/pvc-2");
                assertThat(take(second, "snap-1", made)).isEqualTo(snapshot);
                assertThat(box.rows()).isEqualTo(meanwhile);

                var _ = second.useCases().expandVolume().expand(made.handle(), size(2), TestWork.patient());
                assertThat(second.useCases()
                                .getVolume()
                                .get(made.handle(), TestWork.patient())
                                .capacity())
                        .isGreaterThanOrEqualTo(Capacity.ofBytes(2 * TestVolumes.SIZE.bytes()));
                SnapshotView another = take(second, "snap-2", made);
                VolumeView clone = second.create("pvc-3", size(2), new Source.Volume(made.handle()), Map.of());
                for (String volume : new String[] {clone.handle(), "v:nas/pvc-2"}) {
                    second.useCases().deleteVolume().delete(volume, TestWork.patient());
                }
                for (SnapshotView each : new SnapshotView[] {snapshot, another}) {
                    second.useCases().deleteSnapshot().delete(each.handle(), TestWork.patient());
                }
                second.useCases().deleteVolume().delete(made.handle(), TestWork.patient());
            }
            assertThat(box.rows()).isEqualTo(before);
            assertThat(box.simulator().broken()).isEmpty();
        }
    }

    /** democratic-csi finds its volumes, shares and targets by these, whoever made them. */
    @ParameterizedTest
    @MethodSource("ways")
    void both_write_the_same_properties_of_democratic_csi(String protocol, boolean byHybrid) {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            try (OneConnectionFixture fixture = open(box, protocol, byHybrid)) {
                VolumeView made = fixture.create("pvc-1");
                SnapshotView snapshot = take(fixture, "snap-1", made);
                var _ = fixture.create("pvc-2", size(1), new Source.Snapshot(snapshot.handle()), Map.of());
            }
            String driver = byHybrid ? "freenas-" + protocol : "freenas-api-" + protocol;
            String kind = switch (protocol) {
                case "iscsi" -> "target extent targettoextent";
                case "nvmeof" -> "subsystem namespace";
                default -> "share";
            };
            Map<String, String> expected = new HashMap<>(Map.of(
                    "csi_volume_name", "pvc-1",
                    "managed_resource", "true",
                    "provision_success", "true",
                    "volume_context_provisioner_driver", driver));
            Arrays.stream(kind.split(" ", -1))
                    .forEach(part ->
                            expected.put("freenas_" + protocol + "_" + part + "_id", number(box, protocol, part)));
            if (HybridBox.isBlock(protocol)) {
                expected.put("freenas_" + protocol + "_assets_name", "pvc-1");
            }
            Map<String, String> found = peers(box, PVC);
            String context = found.remove("csi_share_volume_context");

            assertThat(found).isEqualTo(expected);
            assertThat(context).isEqualTo(SHARED.get(protocol));
            assertThat(peers(box, CLONE))
                    .containsEntry("csi_volume_content_source_type", "snapshot")
                    .containsEntry("csi_volume_content_source_id", "pvc-1@snap-1")
                    .containsOnlyKeys(Stream.concat(
                                    Stream.concat(expected.keySet().stream(), Stream.of("csi_share_volume_context")),
                                    Stream.of("csi_volume_content_source_type", "csi_volume_content_source_id"))
                            .toArray(String[]::new));
            assertThat(peers(box, SNAPSHOT))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "csi_snapshot_name", "snap-1",
                            "csi_snapshot_source_volume_id", "pvc-1",
                            "managed_resource", "true",
                            "provision_success", "true"));
        }
    }

    /** A volume that is closed to all but its nodes stays so, also if their record takes several properties. */
    @ParameterizedTest
    @MethodSource("ways")
    void what_one_published_the_other_shuts_out(String protocol, boolean byHybrid) {
        try (HybridBox box = new HybridBox(Profile.V26, folder)) {
            Set<String> before = box.rows();
            VolumeView made;
            try (OneConnectionFixture first = closed(box, protocol, byHybrid)) {
                made = first.create("pvc-1");
                for (int node = 1; node <= 18; node++) {
                    publish(first, made, node, mode(protocol));
                }
            }
            assertThat(box.rows().size()).isGreaterThan(before.size());
            try (OneConnectionFixture second = closed(box, protocol, !byHybrid)) {
                publish(second, made, 19, mode(protocol));
                for (int node = 1; node <= 19; node++) {
                    second.useCases()
                            .unpublishVolume()
                            .unpublish(made.handle(), Optional.of(node(node)), TestWork.patient());
                }
                second.useCases().deleteVolume().delete(made.handle(), TestWork.patient());
            }
            assertThat(box.rows()).isEqualTo(before);
            assertThat(box.simulator().broken()).isEmpty();
        }
    }

    private static OneConnectionFixture closed(HybridBox box, String protocol, boolean hybrid) {
        String file = hybrid ? box.hybrid(protocol) : box.api(protocol);
        var graph = DaggerFactoryComponent.create();
        Map<String, ExporterFactory> exporters = new HashMap<>(graph.exporters());
        exporters.putAll(subsystems(box));
        return new OneConnectionFixture(HybridBox.backend(
                file.replace("fairlead: {", "fairlead: {publish: nodes, "), graph.stores(), exporters));
    }

    /** Those of a process that runs for long: one that began lately shuts one of several hosts out after a while. */
    private static Map<String, ExporterFactory> subsystems(HybridBox box) {
        CommandRunnerFactory runner = (_, _) -> new BoxRunner(box.simulator().programs());
        var connections =
                new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));
        LateCalls late = HybridWorld.settled();
        var turns = new HostTurns();
        var hosts = new StorageHosts(Map.of("ssh", runner, "local", runner));
        BoxWay way = FreenasHybridModule.way(connections, hosts, FreenasHybridModule.boxes());
        return Map.of(
                "truenas-nvmeof", FreenasExportModule.nvmeof(connections, late, turns),
                "truenas-nvmeof-with-ssh", FreenasHybridModule.nvmeofWithSsh(way, late, turns));
    }

    private static String node(int number) {
        return "n=a-node-with-quite-a-long-name-" + number + "/i1=node-" + number
                + "/vu=00000000-0000-4000-8000-0000000000" + (10 + number) + "/a=198.51.100." + number;
    }

    private static VolumeCapability mode(String protocol) {
        return HybridBox.isBlock(protocol)
                ? TestVolumes.mount(AccessMode.MULTI_NODE_SINGLE_WRITER)
                : TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);
    }

    private static void publish(
            OneConnectionFixture fixture, VolumeView volume, int node, VolumeCapability capability) {
        var _ = fixture.useCases()
                .publishVolume()
                .publish(new PublishVolume.Command(volume.handle(), node(node), capability, false), TestWork.patient());
    }

    private static CapacityRange size(int times) {
        return CapacityRange.of(TestVolumes.SIZE.bytes() * times, 0);
    }

    private static SnapshotView take(OneConnectionFixture fixture, String name, VolumeView of) {
        return fixture.useCases().takeSnapshot().take(new CsiName(name), of.handle(), Map.of(), TestWork.patient());
    }

    private static Map<String, String> peers(HybridBox box, String name) {
        Map<String, String> all = new HashMap<>();
        box.properties(name).forEach((key, value) -> {
            if (key.startsWith(PEERS)) {
                all.put(key.substring(PEERS.length()), value);
            }
        });
        return all;
    }

    /** Returns the number of the first volume's row. */
    private static String number(HybridBox box, String protocol, String part) {
        String table = switch (protocol + " " + part) {
            case "nfs share" -> "nfs_share";
            case "smb share" -> "smb_share";
            case "iscsi target" -> "iscsi_target";
            case "iscsi extent" -> "iscsi_extent";
            case "iscsi targettoextent" -> "iscsi_targetextent";
            case "nvmeof subsystem" -> "nvmet_subsys";
            default -> "nvmet_namespace";
        };
        return box.simulator().dump().getAsJsonObject(table).asMap().values().stream()
                .map(JsonElement::getAsJsonObject)
                .map(row -> row.get("id").getAsLong())
                .min(Long::compare)
                .orElseThrow()
                .toString();
    }
}
