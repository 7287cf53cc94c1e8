package dev.fairlead.bootstrap.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.host.ToolSettings.ToolSource;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.in.DriverProfile.Controller;
import dev.fairlead.application.port.in.DriverProfile.Expansion;
import dev.fairlead.application.port.in.DriverProfile.Node;
import dev.fairlead.application.port.in.DriverProfile.Service;
import dev.fairlead.bootstrap.driver.DriverTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainFileReaderTest {
    @TempDir
    Path folder;

    @Test
    void a_proxy_advertises_what_its_types_offer() throws IOException {
        MainFile main = read("driver: proxy\nproxy: {configFolder: /mnt/connections/}\n");

        assertThat(main.kind())
                .isInstanceOfSatisfying(
                        MainFile.Proxy.class,
                        proxy -> assertThat(proxy.connections()).isEqualTo(Path.of("/mnt/connections")));
        assertThat(main.capabilities().services()).containsExactlyInAnyOrder(Service.values());
        assertThat(main.capabilities().expansion()).containsExactly(Expansion.ONLINE);
        assertThat(main.capabilities().controller())
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(
                        EnumSet.of(Controller.PUBLISH_UNPUBLISH_VOLUME, Controller.PUBLISH_READONLY)));
        assertThat(main.capabilities().node()).contains(Node.STAGE_UNSTAGE_VOLUME, Node.EXPAND_VOLUME);
        assertThat(main.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "driver: proxy\nproxy: {configFolder: /c}\nfairlead: {publish: nodes}\n",
                "driver: zfs-generic-nfs\nfairlead: {publish: nodes, nodeId: {parts: {address: true}}}\n"
            })
    void what_closes_volumes_also_offers_what_opens_them(String text) throws IOException {
        MainFile main = read(text);

        assertThat(main.capabilities().publishes()).isTrue();
        assertThat(main.capabilities().controller())
                .contains(Controller.PUBLISH_UNPUBLISH_VOLUME, Controller.PUBLISH_READONLY);
        assertThat(main.nodeId()).isPresent();
        assertThat(main.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "driver: proxy\nproxy: {configFolder: /c}\nfairlead: {publish: open}\n",
                "driver: zfs-generic-nfs\n"
            })
    void nothing_is_published_unless_it_is_asked_for(String text) throws IOException {
        assertThat(read(text).capabilities().publishes()).isFalse();
    }

    @Test
    void a_list_of_the_service_block_has_the_last_word_on_publishing() throws IOException {
        assertThat(read("""
                        driver: proxy
                        proxy: {configFolder: /c}
                        fairlead: {publish: nodes}
                        service: {controller: {capabilities: {rpc: [CREATE_DELETE_VOLUME]}}}
                        """).capabilities().publishes()).isFalse();
        assertThat(read("""
                        driver: proxy
                        proxy: {configFolder: /c}
                        service: {controller: {capabilities: {rpc: [CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME]}}}
                        """).capabilities().publishes()).isTrue();
    }

    @Test
    void a_driver_that_is_alone_keeps_the_bare_name_of_its_node_unless_it_publishes() throws IOException {
        assertThat(read("driver: zfs-generic-nfs\n").nodeId()).isEmpty();
    }

    @Test
    void what_no_store_of_the_type_has_is_not_advertised() throws IOException {
        MainFile directories = read("driver: local-hostpath\nlocal-hostpath: {shareBasePath: /x}\n");
        MainFile pools = read("driver: zfs-generic-nfs\n");

        assertThat(directories.capabilities().services()).doesNotContain(Service.GROUP_CONTROLLER_SERVICE);
        assertThat(directories.capabilities().controller()).doesNotContain(Controller.MODIFY_VOLUME);
        assertThat(pools.capabilities().services())
                .containsExactlyInAnyOrder(Service.CONTROLLER_SERVICE, Service.GROUP_CONTROLLER_SERVICE);
        assertThat(pools.capabilities().controller()).contains(Controller.MODIFY_VOLUME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local-hostpath", "zfs-local-dataset", "zfs-local-zvol"})
    void a_driver_alone_whose_storage_is_the_node_s_own_expands_by_the_node(String driver) throws IOException {
        MainFile main = read("driver: " + driver + "\n");

        assertThat(main.perNode()).isTrue();
        assertThat(main.capabilities().controller()).doesNotContain(Controller.EXPAND_VOLUME);
        assertThat(main.capabilities().node()).contains(Node.EXPAND_VOLUME);
    }

    @Test
    void a_proxy_expands_by_the_controller_too_whatever_its_nodes_are() throws IOException {
        MainFile main = read("driver: proxy\nproxy: {configFolder: /c, nodeTopology: {type: node}}\n");

        assertThat(main.perNode()).isTrue();
        assertThat(main.capabilities().controller()).contains(Controller.EXPAND_VOLUME);
        assertThat(main.capabilities().node()).contains(Node.EXPAND_VOLUME);
    }

    @Test
    void the_service_block_replaces_list_by_list() throws IOException {
        MainFile main = read("""
                driver: proxy
                proxy: {configFolder: /c}
                service:
                  identity: {capabilities: {service: [CONTROLLER_SERVICE], volume_expansion: [UNKNOWN]}}
                  controller: {capabilities: {rpc: [CREATE_DELETE_VOLUME, LIST_VOLUMES_PUBLISHED_NODES]}}
                """);

        assertThat(main.capabilities().services()).containsExactly(Service.CONTROLLER_SERVICE);
        assertThat(main.capabilities().expansion()).isEmpty();
        assertThat(main.capabilities().controller()).containsExactly(Controller.CREATE_DELETE_VOLUME);
        assertThat(main.capabilities().node()).contains(Node.STAGE_UNSTAGE_VOLUME);
        assertThat(main.warnings()).extracting(Problem::path).containsExactly("service.controller.capabilities.rpc");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            driver: proxy                                                            | proxy.configFolder: is missing
            'driver: proxy
            proxy: {configFolder: /c, nodeTopology: {type: rack}}'                   | 'rack'
            'driver: proxy
            proxy: {configFolder: /c, nodeTopology: {type: zone}}'                   | fromRegexp
            'driver: proxy
            proxy: {configFolder: /c, nodeTopology: {type: zone, fromRegexp: [{topologyKey: z, source: nodeName, regex: "("}]}}' | cannot be read
            'driver: proxy
            proxy: {configFolder: /c, nodeTopology: {type: zone, fromRegexp: [{topologyKey: z, source: moon}]}}'   | 'moon' is not known
            'driver: proxy
            proxy: {configFolder: /c, nodeTopology: {type: zone, fromRegexp: [{topologyKey: z, source: env}]}}'    | envName: is missing
            'driver: proxy
            proxy: {configFolder: /c, nodeTopology: {prefix: "Not A Domain"}}'       | prefix
            'driver: proxy
            proxy: {configFolder: /c, nodeId: {parts: {nodeName: false}}}'           | leaves no part
            driver: synology-iscsi                                                   | is not built yet
            'driver: proxy
            proxy: {configFolder: /c}
            fairlead: {publish: all}'                                                | 'all' is not known
            'driver: proxy
            proxy: {configFolder: "${NOT_SET}"}'                                     | NOT_SET is not set
            'driver: proxy
            proxy: {configFolder: /c}
            fairlead: {node: {hostPathRoots: [relative]}}'                           | no absolute path
            'driver: proxy
            proxy: {configFolder: /c}
            fairlead: {node: {tools: {zsf: host}}}'                                  | fairlead.node.tools.zsf
            'driver: proxy
            proxy: {configFolder: /c}
            fairlead: {node: {tools: {zfs: iscsid}}}'                                | source of iscsiadm alone
            """)
    void what_cannot_be_used_is_refused_with_its_reason(String text, String reason) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void where_programs_are_taken_from_is_said_by_the_file_and_else_by_the_environment() throws IOException {
        Path file = Files.writeString(folder.resolve("main.yaml"), """
                driver: proxy
                proxy: {configFolder: /c}
                fairlead: {node: {tools: {iscsiadm: host, others: host}}}
                """);

        MainFile main = MainFileReader.read(
                file, Map.of("ISCSIADM_HOST_STRATEGY", "nsenter", "USE_HOST_MOUNT_TOOLS", "1"), DriverTypes.all());

        assertThat(main.warnings()).isEmpty();
        assertThat(main.tools().sources())
                .isEqualTo(Map.of("iscsiadm", ToolSource.HOST, "mount", ToolSource.HOST, "others", ToolSource.HOST));
    }

    @Test
    void a_missing_file_or_a_folder_in_its_place_is_said() {
        assertThatThrownBy(() -> MainFileReader.read(folder.resolve("none"), Map.of(), DriverTypes.all()))
                .hasMessageContaining("is missing");
        assertThatThrownBy(() -> MainFileReader.read(folder, Map.of(), DriverTypes.all()))
                .hasMessageContaining("it is a folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver: proxy\nproxy: {configFolder: /c}\n", "driver: zfs-generic-iscsi\n"})
    void options_for_making_and_checking_file_systems_are_those_of_democratic_csi(String file) throws IOException {
        MainFile main = read(file + """
                node:
                  format:
                    ext4: {customOptions: [-m, 5, "-O ^has_journal"]}
                    xfs: {customOptions: []}
                  mount:
                    mount_flags: noatime
                    checkFilesystem:
                      ext4: {enabled: true, customOptions: [-T], customFilesystemOptions: [-v]}
                      xfs: {enabled: true, customOptions: [-P]}
                      btrfs: {enabled: false, customOptions: [-v]}
                """);

        assertThat(main.filesystems().make()).isEqualTo(Map.of("ext4", List.of("-m", "5", "-O", "^has_journal")));
        assertThat(main.filesystems().checks()).isEqualTo(Map.of("ext4", List.of("-v"), "xfs", List.of("-P")));
        assertThat(main.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'format: {ext4: {customOptions: [-F]}}', node.format.ext4.customOptions",
        "'format: {btrfs: {customOptions: [--force]}}', node.format.btrfs.customOptions",
        "'mount: {checkFilesystem: {xfs: {customOptions: [-L]}}}', node.mount.checkFilesystem.xfs.customOptions",
        "'mount: {checkFilesystem: {ext3: {customFilesystemOptions: [-y]}}}',"
                + " node.mount.checkFilesystem.ext3.customFilesystemOptions"
    })
    void options_that_could_destroy_something_are_errors(String node, String key) {
        for (String file : List.of("driver: proxy\nproxy: {configFolder: /c}\n", "driver: zfs-generic-iscsi\n")) {
            assertThatThrownBy(() -> read(file + "node: {" + node + "}\n"))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining(key)
                    .hasMessageContaining("take it out");
        }
    }

    private static String flagged(String flags) {
        return """
                driver: proxy
                proxy: {configFolder: /c}
                node: {mount: {mount_flags: '%s'}}
                """.formatted(flags);
    }

    @Test
    void mount_flags_are_divided_as_mount_does() throws IOException {
        MainFile main = read(flagged("noatime, context=\"a:b:c:s0:c1,c2\",commit=5"));

        assertThat(main.mountFlags()).containsExactly("noatime", "context=\"a:b:c:s0:c1,c2\"", "commit=5");
        assertThatThrownBy(() -> read(flagged("context=\"a:b:c:s0:c1,c2")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("node.mount.mount_flags")
                .hasMessageContaining("quotes in pairs");
    }

    private MainFile read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("main.yaml"), text);
        return MainFileReader.read(file, Map.of(), DriverTypes.all());
    }
}
