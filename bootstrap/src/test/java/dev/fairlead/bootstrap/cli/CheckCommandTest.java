package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    private static final String GOOD = """
            driver: local-hostpath
            local-hostpath: {shareBasePath: /s, controllerBasePath: /s}
            """;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void good_connections_pass_and_say_what_they_are() throws IOException {
        write(
                "a.yaml",
                GOOD + "proxy: {perDriver: {topology: [{requirements: {zone: z1}, extra: {other.org/rack: r}}]}}\n");
        write("b.yaml", GOOD);

        int code = check(true);

        assertThat(code).isZero();
        assertThat(text())
                .contains("ok   a", "zone=z1", "nodes must get the label [other.org/rack] by other means")
                .endsWith("2 connections, 0 errors, 0 warnings\n");
    }

    @Test
    void every_problem_stands_with_its_place_and_remedy() throws IOException {
        write("a.yaml", "driver: local-hostpth\n");
        write("b.yaml", "a: [1\n");
        write("c d.yaml", GOOD);

        int code = check(true);

        assertThat(code).isEqualTo(1);
        assertThat(text())
                .contains(
                        "bad  a", "a.yaml:1  driver  'local-hostpth' is no driver type", "did you mean local-hostpath?")
                .contains("bad  b", "b.yaml:2")
                .contains("c d.yaml")
                .endsWith("2 connections, 3 errors, 0 warnings\n");
    }

    @Test
    void a_misspelt_key_of_a_host_is_told_with_the_one_that_was_meant() throws IOException {
        write("a.yaml", """
                driver: zfs-generic-nfs
                sshConnection: {host: nas.example.org, prot: 22, username: root, password: secret}
                zfs: {datasetParentName: tank/v}
                nfs: {shareHost: nas.example.org}
                """);

        assertThat(check(true, "--strict")).isEqualTo(1);
        assertThat(text()).contains("a.yaml:2", "sshConnection.prot", "did you mean port?");
    }

    @Test
    void a_warning_fails_a_strict_check_alone() throws IOException {
        write("a.yaml", GOOD + "instanceid: x\n");

        assertThat(check(true)).isZero();
        assertThat(check(true, "--strict")).isEqualTo(1);
    }

    @Test
    void programs_get_json() throws IOException {
        write("a.yaml", "driver: \"q\\\"\"\n");

        int code = check(false);

        assertThat(code).isEqualTo(1);
        assertThat(text()).isEqualTo("""
                        {"ok":false,"connections":[{"name":"a","ok":false,"summary":"","problems":[{"severity":"error",\
                        "file":"a.yaml","line":1,"key":"driver","problem":"'q\\"' is no driver type","remedy":\
                        "expected: one of local-hostpath, local-pool, zfs-generic-nfs, zfs-generic-smb, zfs-generic-iscsi, \
                        zfs-generic-nvmeof, zfs-local-dataset, zfs-local-zvol, freenas-nfs, freenas-api-nfs, \
                        freenas-smb, freenas-api-smb, freenas-iscsi, freenas-api-iscsi, freenas-nvmeof, \
                        freenas-api-nvmeof, truenas-nfs, truenas-api-nfs, truenas-smb, truenas-api-smb, \
                        truenas-iscsi, truenas-api-iscsi, truenas-nvmeof, truenas-api-nvmeof"}]}],"problems":[]}
                        """);
    }

    @Test
    void a_main_file_gives_defaults_and_topology() throws IOException {
        write("a.yaml", "driver: local-hostpath\n");
        Path main = Files.writeString(folder.resolve("main"), """
                driver: proxy
                proxy: {configFolder: /c, nodeTopology: {type: node}}
                local-hostpath: {shareBasePath: /s, controllerBasePath: /s}
                """);

        assertThat(check(true)).isEqualTo(1);
        assertThat(check(true, "--main", main.toString())).isZero();
    }

    @Test
    void a_terminal_gets_json_too_where_it_asks_for_it() throws IOException {
        write("a.yaml", GOOD);

        assertThat(check(true, "--json")).isZero();
        assertThat(text()).startsWith("{\"ok\":true,");
    }

    @Test
    void what_a_main_file_leaves_out_counts_and_what_is_wrong_with_it_is_told() throws IOException {
        write("a.yaml", GOOD);
        Path main = Files.writeString(folder.resolve("main"), "driver: proxy\nproxy: {configFolder: /c}\n");

        assertThat(check(true)).isZero();
        assertThat(check(true, "--main", main.toString())).isEqualTo(1);
        assertThat(text()).contains("keeps volumes on one node, and nothing says on which");
        Files.writeString(main, "driver: proxy\nproxy: {configFolder: /c, nodeTopology: {type: nodes}}\n");
        assertThat(check(true, "--main", main.toString())).isEqualTo(1);
        assertThat(text()).contains("proxy.nodeTopology.type");
    }

    @Test
    void a_warning_of_the_main_file_fails_a_strict_check_alone() throws IOException {
        write("a.yaml", GOOD);
        Path main = Files.writeString(
                folder.resolve("main"),
                "driver: proxy\nproxy: {configFolder: /c, nodeTopology: {type: node}}\nodd: 1\n");

        assertThat(check(true, "--main", main.toString())).isZero();
        assertThat(text()).contains("odd");
        assertThat(check(true, "--main", main.toString(), "--strict")).isEqualTo(1);
    }

    @Test
    void a_main_file_says_the_prefix_of_keys_and_whether_volumes_are_published() throws IOException {
        write("a.yaml", GOOD + "proxy: {perDriver: {topology: [{requirements: {example.org/zone: z1}}]}}\n");
        write("b.yaml", """
                driver: zfs-generic-nfs
                sshConnection: {host: nas, username: root, password: p}
                zfs: {datasetParentName: t/v, detachedSnapshotsDatasetParentName: t/s}
                nfs:
                  shareHost: nas
                  shareStrategy: setDatasetProperties
                  shareStrategySetDatasetProperties: {properties: {sharenfs: rw}}
                fairlead: {publish: nodes}
                """);
        Path main = Files.writeString(
                folder.resolve("main"),
                "driver: proxy\nproxy: {configFolder: /c, nodeTopology: {type: node, prefix: example.org}}\n");

        check(true);
        String alone = text();
        check(true, "--main", main.toString());

        assertThat(alone).contains("bad  a", "ok   b");
        assertThat(text().substring(alone.length())).contains("ok   a", "bad  b", "this process publishes no volumes");
    }

    @Test
    void a_note_is_shown_and_fails_nothing() throws IOException {
        write("a.yaml", "driver: local-pool\nlocal-pool:\n  pools:\n  - {name: plain, path: /p, kind: directory}\n");

        int code = check(true, "--strict");
        String text = text();
        int again = check(false, "--strict");

        assertThat(code).isZero();
        assertThat(text)
                .contains(
                        "ok   a",
                        "note    a.yaml:4  local-pool.pools[0].kind  sizes in pool 'plain' are advisory",
                        "kind: image")
                .endsWith("1 connections, 0 errors, 0 warnings, 1 notes\n");
        assertThat(again).isZero();
        assertThat(text().substring(text.length()))
                .startsWith("{\"ok\":true")
                .contains("{\"severity\":\"note\",\"file\":\"a.yaml\",\"line\":4,\"key\":\"local-pool.pools[0].kind\"");
    }

    @Test
    void two_connections_on_one_base_folder_are_an_error_of_the_second() throws IOException {
        write("a.yaml", GOOD);
        write("b.yaml", GOOD);

        assertThat(check(true)).isEqualTo(1);
        assertThat(text()).contains("controllerBasePath", "is the base folder of a.yaml too");
    }

    @Test
    void a_driver_s_own_file_can_be_checked_too() throws IOException {
        Path file = Files.writeString(folder.resolve("driver.yml"), GOOD + "fairlead: {patiense: 1s}\n");

        int code = run(true, List.of("check", file.toString()));

        assertThat(code).isEqualTo(1);
        assertThat(text()).contains("fairlead.patiense", "did you mean patience?");
    }

    @Test
    void a_driver_s_own_file_says_the_prefix_of_its_node_s_label() throws IOException {
        Path file = Files.writeString(
                folder.resolve("driver.yml"), GOOD + "proxy: {nodeTopology: {prefix: topology.example.org}}\n");

        int code = run(true, List.of("check", file.toString(), "--strict"));

        assertThat(text()).contains("topology.example.org/node=this-node");
        assertThat(code).isZero();
    }

    @Test
    void what_is_no_folder_is_an_error() {
        assertThat(run(true, List.of("check", folder.resolve("none").toString())))
                .isEqualTo(1);
        assertThat(text()).contains("is no folder");
    }

    @Test
    void an_unknown_verb_and_option_are_told_on_the_error_stream() {
        assertThat(run(true, List.of("chekc"))).isEqualTo(2);
        assertThat(run(true, List.of("check", "--stricct", "x"))).isEqualTo(2);
        assertThat(text()).contains("chekc", "--stricct");
    }

    @Test
    void the_programs_of_a_node_are_told_with_their_source_and_version() throws IOException {
        write("main.yaml", "driver: proxy\nproxy: {configFolder: /c}\nfairlead: {node: {tools: {zfs: container}}}\n");

        int code = run(
                true,
                List.of("check", "--node", "--main", folder.resolve("main.yaml").toString()));

        assertThat(code).isZero();
        assertThat(text()).containsPattern("mount +container +2\\.\\d+").containsPattern("zfs +container ");
        assertThat(text().lines()).hasSizeGreaterThan(15);
    }

    @Test
    void a_program_that_is_not_there_is_told_with_the_setting_and_fails_a_strict_check() throws IOException {
        int code = run(false, List.of("check", "--node", "--strict"));

        assertThat(text()).startsWith("{\"tools\":[{").contains("\"name\":\"multipathd\",\"source\":\"host\"");
        assertThat(code).isEqualTo(text().contains("\"version\":\"\"") ? 1 : 0);
        assertThat(text().contains("\"version\":\"\"")).isEqualTo(text().contains("fairlead.node.tools says"));
    }

    private int check(boolean interactive, String... more) {
        List<String> arguments = new ArrayList<>(List.of("check", folder.toString()));
        arguments.addAll(List.of(more));
        return run(interactive, arguments);
    }

    private int run(boolean interactive, List<String> arguments) {
        var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Verbs.run(arguments, Map.of(), new Terminal(stream, stream, interactive, false));
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
