package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetInfoResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeOverSocketTest {
    private static final String PROXY = """
            driver: proxy
            proxy:
              configFolder: "@DIR@/connections"
            """;

    @TempDir
    Path folder;

    @Test
    void a_node_serves_no_controller_and_opens_no_connection() throws Exception {
        RunningDriver node = new RunningDriver(folder).main(PROXY).env("CSI_NODE_ID", "n1");
        node.connection("broken", "driver: [");
        try (RunningDriver driver = node.start("node")) {
            NodeGetInfoResponse info = info(driver);

            assertThat(info.getNodeId()).isEqualTo("n=n1");
            assertThat(info.getAccessibleTopology().getSegmentsMap())
                    .containsOnly(java.util.Map.entry("org.democratic-csi.topology/cluster", "local"));
            assertThat(driver.node()
                            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                            .toString())
                    .contains("STAGE_UNSTAGE_VOLUME", "EXPAND_VOLUME");
            assertThatThrownBy(() -> driver.controller()
                            .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
                  nodeTopology:
                    type: zone
                    prefix: my.prefix
                    fromRegexp:
                      - {topologyKey: region, source: nodeName, regex: "(.*)-(.*)-(.*)", template: "{match:1}"}
                      - {topologyKey: zone, source: nodeName, regex: "(.*)-(.*)-(.*)", template: "zone-{match:2}"}
                      - {topologyKey: rack, source: env, envName: RACK}
                      - {topologyKey: none, source: nodeName, regex: "no-match"}
                      - {topologyKey: unset, source: env, envName: UNSET}
                """, """
                  nodeTopology:
                    type: custom
                    prefix: my.prefix
                    customRules:
                      - {keySuffix: region, source: nodeName, matchRegexp: "(.*)-(.*)-(.*)", resultTemplate: "${match:1}"}
                      - {keySuffix: zone, source: nodeName, matchRegexp: "(.*)-(.*)-(.*)", resultTemplate: "zone-${match:2}"}
                      - {keySuffix: rack, source: env, envName: RACK}
                      - {keySuffix: none, source: nodeName, matchRegexp: "no-match"}
                """})
    void both_spellings_of_the_rules_give_the_same_labels(String rules) throws Exception {
        try (RunningDriver driver = new RunningDriver(folder)
                .main(PROXY + rules)
                .env("CSI_NODE_ID", "region1-a-node7")
                .env("RACK", "r3")
                .start("node")) {
            assertThat(info(driver).getAccessibleTopology().getSegmentsMap())
                    .containsOnly(
                            java.util.Map.entry("my.prefix/region", "region1"),
                            java.util.Map.entry("my.prefix/zone", "zone-a"),
                            java.util.Map.entry("my.prefix/rack", "r3"));
        }
    }

    @Test
    void a_single_local_driver_s_node_goes_by_its_bare_name() throws Exception {
        Files.createDirectories(folder.resolve("volumes"));
        try (RunningDriver driver = new RunningDriver(folder)
                .main(RunningDriver.local("@DIR@/volumes"))
                .env("CSI_NODE_ID", "n1")
                .start()) {
            NodeGetInfoResponse info = info(driver);

            assertThat(info.getNodeId()).isEqualTo("n1");
            assertThat(info.getAccessibleTopology().getSegmentsMap())
                    .containsOnly(java.util.Map.entry("org.democratic-csi.topology/node", "n1"));
        }
    }

    @Test
    void a_single_local_driver_s_node_goes_by_its_host_name_where_nobody_named_it() throws Exception {
        Files.createDirectories(folder.resolve("volumes"));
        String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        try (RunningDriver driver = new RunningDriver(folder)
                .main(RunningDriver.local("@DIR@/volumes"))
                .start()) {
            NodeGetInfoResponse info = info(driver);

            assertThat(info.getNodeId()).isEqualTo(host);
            assertThat(info.getAccessibleTopology().getSegmentsMap())
                    .containsOnly(java.util.Map.entry("org.democratic-csi.topology/node", host));
        }
    }

    @Test
    void a_node_tells_how_many_volumes_it_takes() throws Exception {
        String limited = PROXY + "fairlead: {node: {maxVolumesPerNode: 39}}\n";
        try (RunningDriver driver =
                new RunningDriver(folder).main(limited).env("CSI_NODE_ID", "n1").start("node")) {
            assertThat(info(driver).getMaxVolumesPerNode()).isEqualTo(39);
        }
    }

    private static NodeGetInfoResponse info(RunningDriver driver) {
        return driver.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    }
}
