package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.driver.BackendAssembler.Assembled;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyPrefix;
import dev.fairlead.domain.volume.AccessMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackendAssemblerTest {
    private static final String LOCAL = """
            driver: local-hostpath
            local-hostpath:
              shareBasePath: /share
              controllerBasePath: /controller
            """;
    private static final Locality PER_NODE = new Locality(TopologyPrefix.DEFAULT, true, Optional.of("n1"));

    private final Problems problems = new Problems("c.yaml");

    @Test
    void every_common_key_is_read() {
        BackendSettings settings = settings(PER_NODE, LOCAL + """
                instance_id: mine
                csi: {access_modes: [SINGLE_NODE_WRITER, MULTI_NODE_MULTI_WRITER]}
                _private: {csi: {volume: {idTemplate: "x-{{name}}", idHash: {strategy: CRC32}, deleteStrategy: retain}}}
                fairlead: {labels: {tier: fast}, concurrency: 3, patience: 500ms, onDependents: defer}
                """);

        assertThat(settings.instanceId()).contains("mine");
        assertThat(settings.capabilities().modes())
                .containsExactlyInAnyOrder(AccessMode.SINGLE_NODE_WRITER, AccessMode.MULTI_NODE_MULTI_WRITER);
        assertThat(settings.idPolicy().template()).isPresent();
        assertThat(settings.retainOnDelete()).isTrue();
        assertThat(settings.labels()).containsEntry("tier", "fast");
        assertThat(settings.concurrency()).isEqualTo(3);
        assertThat(settings.patience()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.onDependents()).isEqualTo(OnDependents.DEFER);
        assertThat(problems.all()).isEmpty();
    }

    @Test
    void a_node_expands_what_is_its_own_and_nothing_else() {
        var central = new Locality(TopologyPrefix.DEFAULT, false, Optional.empty());
        String placed = LOCAL + "proxy: {perDriver: {topology: [{requirements: {zone: z1}}]}}\n";

        assertThat(settings(PER_NODE, LOCAL).nodeExpands()).isTrue();
        assertThat(settings(PER_NODE, placed).nodeExpands()).isTrue();
        assertThat(settings(central, placed).nodeExpands()).isFalse();
    }

    @Test
    void where_the_storage_is_comes_from_the_file_or_from_this_node() {
        assertThat(settings(PER_NODE, LOCAL).placement())
                .hasToString(within("{org.democratic-csi.topology/node=n1}", "{}"));
        assertThat(settings(new Locality(new TopologyPrefix("my.prefix"), false, Optional.empty()), LOCAL + """
                        proxy:
                          perDriver:
                            topology:
                              - requirements: {zone: z1}
                                extra: {example.com/rack: r1}
                              - requirements: {zone: z2}
                        """)
                        .placement())
                .isInstanceOfSatisfying(
                        Placement.Within.class,
                        within -> assertThat(within.places())
                                .hasToString("[Place[requirements={my.prefix/zone=z1}, extra={example.com/rack=r1}],"
                                        + " Place[requirements={my.prefix/zone=z2}, extra={}]]"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            driver: local-hostpth          | is no driver type          | did you mean local-hostpath?
            driver: synology-iscsi         | is not built yet           | today there is local-hostpath
            driver: synology-nfs           | is not built yet           | today there is local-hostpath
            driver: objectivefs            | cannot be a connection     | licensed client
            driver: proxy                  | cannot be a connection     | name a storage's own type
            driver: zfs-local-ephemeral-inline | cannot be a connection | generic ephemeral volume
            driver: xyzzyq                 | is no driver type          | expected: one of local-hostpath
            drivr: local-hostpath          | is missing                 | expected: one of local-hostpath
            """)
    void a_type_that_cannot_be_used_is_said_with_what_to_do_instead(String file, String what, String remedy) {
        Optional<Assembled> assembled = assemble(PER_NODE, file + "\n");

        assertThat(assembled).isEmpty();
        assertThat(problems.errors()).first().satisfies(problem -> {
            assertThat(problem.path()).isEqualTo("driver");
            assertThat(problem.what()).contains(what);
            assertThat(problem.remedy()).contains(remedy);
        });
    }

    @Test
    void all_problems_of_a_file_are_told_at_once_with_their_lines() {
        Optional<Assembled> assembled = assemble(PER_NODE, """
                driver: local-hostpath
                local-hostpath:
                  shareBasePath: relative
                  sharedBasePath: /x
                csi:
                  access_modes: [SINGLE_NODE_WRITTER]
                fairlead:
                  concurrency: 0
                  patience: soon
                  label: {a: b}
                  labels: {"bad key": x}
                proxy:
                  perDriver:
                    topology:
                      - requirement: {zone: z}
                """);

        assertThat(assembled).isEmpty();
        assertThat(problems.errors())
                .extracting(problem -> problem.line() + " " + problem.path())
                .contains(
                        "6 csi.access_modes",
                        "8 fairlead.concurrency",
                        "9 fairlead.patience",
                        "10 fairlead.label",
                        "11 fairlead.labels.bad key",
                        "3 local-hostpath.shareBasePath",
                        "15 proxy.perDriver.topology[0]");
        assertThat(problems.all())
                .filteredOn(problem -> !problem.isError())
                .extracting(Problem::path, Problem::remedy)
                .contains(
                        org.assertj.core.groups.Tuple.tuple(
                                "local-hostpath.sharedBasePath", "did you mean shareBasePath?"),
                        org.assertj.core.groups.Tuple.tuple(
                                "proxy.perDriver.topology[0].requirement", "did you mean requirements?"));
    }

    @Test
    void storage_of_one_node_is_refused_where_nodes_do_not_tell_themselves_apart() {
        Optional<Assembled> assembled = assemble(new Locality(TopologyPrefix.DEFAULT, false, Optional.of("n1")), LOCAL);

        assertThat(assembled).isEmpty();
        assertThat(problems.errors())
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy())
                        .contains("proxy.nodeTopology.type: node")
                        .contains("proxy.perDriver.topology"));
    }

    @Test
    void a_key_that_nobody_knows_is_a_warning_in_a_block_of_the_peer_s() {
        Optional<Assembled> assembled = assemble(PER_NODE, LOCAL + "instanceid: x\n");

        assertThat(assembled).isPresent();
        assertThat(problems.all())
                .singleElement()
                .hasToString("c.yaml:5: instanceid: unknown key (did you mean instance_id?)");
    }

    @Test
    void volumes_that_no_node_of_this_version_mounts_draw_a_warning_when_the_file_is_read() {
        var graph = DaggerFactoryComponent.create();
        var ofNodesWithoutZfs = DriverTypes.all(Set.of(Attachment.Nfs.class));
        String file = """
                driver: zfs-local-dataset
                zfs: {datasetParentName: tank/v, detachedSnapshotsDatasetParentName: tank/s}
                """;

        Optional<Assembled> assembled = new BackendAssembler(
                        ofNodesWithoutZfs, graph.stores(), graph.exporters(), PER_NODE, "test", true)
                .assemble(new ConnectionName("c"), file.getBytes(StandardCharsets.UTF_8), Defaults.NONE, problems);

        assertThat(assembled).isPresent();
        assertThat(problems.all()).singleElement().satisfies(problem -> {
            assertThat(problem.isError()).isFalse();
            assertThat(problem.toString()).startsWith("c.yaml:1: driver: no node of this version can mount volumes");
        });
    }

    @Test
    void a_long_name_draws_a_warning() {
        Optional<Assembled> assembled = assembler(PER_NODE)
                .assemble(
                        new ConnectionName("a".repeat(21)),
                        LOCAL.getBytes(StandardCharsets.UTF_8),
                        Defaults.NONE,
                        problems);

        assertThat(assembled.orElseThrow().hostPaths()).containsExactly(Path.of("/share"));
        assertThat(problems.all()).extracting(Problem::isError).containsExactly(false);
    }

    @Test
    void a_store_is_told_how_many_calls_there_may_be_at_once() {
        var graph = DaggerFactoryComponent.create();
        List<Integer> told = new ArrayList<>();
        Map<String, StoreFactory> stores = new HashMap<>(graph.stores());
        stores.replaceAll((_, factory) -> StoreFactory.of(factory.traits(), (scope, config) -> {
            told.add(scope.concurrency());
            return factory.open(scope, config);
        }));
        String file = LOCAL + "fairlead: {concurrency: 5}\n";

        new BackendAssembler(DriverTypes.all(), stores, graph.exporters(), PER_NODE, "test", true)
                .assemble(new ConnectionName("c"), file.getBytes(StandardCharsets.UTF_8), Defaults.NONE, problems);

        assertThat(told).containsExactly(5);
    }

    private BackendSettings settings(Locality locality, String text) {
        return assemble(locality, text).orElseThrow().backend().settings();
    }

    private Optional<Assembled> assemble(Locality locality, String text) {
        return assembler(locality)
                .assemble(new ConnectionName("c"), text.getBytes(StandardCharsets.UTF_8), Defaults.NONE, problems);
    }

    private static BackendAssembler assembler(Locality locality) {
        var graph = DaggerFactoryComponent.create();
        return new BackendAssembler(DriverTypes.all(), graph.stores(), graph.exporters(), locality, "test", true);
    }

    private static String within(String requirements, String extra) {
        return "Within[places=[Place[requirements=" + requirements + ", extra=" + extra + "]]]";
    }
}
