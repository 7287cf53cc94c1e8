package dev.fairlead.bootstrap.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of a node id, from {@code proxy.nodeId} and the files of the node to the text that kubelet is told. */
class NodeIdPartsTest {
    private static final String INITIATOR = "etc/iscsi/initiatorname.iscsi";
    private static final String HOST_NQN = "etc/nvme/hostnqn";
    private static final String ALL = """
            nodeId:
              parts: {nodeName: true, hostname: true, iqn: true, nqn: true}
              iqnPrefix:
                - {shortName: "1", prefix: "iqn.1993-08.org.debian:01:"}
                - {shortName: "2", prefix: "iqn.2004-10.com.ubuntu:01:"}
              nqnPrefix:
                - {shortName: u, prefix: "nqn.2014-08.org.nvmexpress:uuid:"}
            """;

    @TempDir
    Path root;

    private final Problems problems = new Problems("driver.yaml");

    @Test
    void without_parts_it_is_the_name_of_the_node() throws IOException {
        initiator("InitiatorName=iqn.1993-08.org.debian:01:abc\n");

        assertThat(id("configFolder: /c")).isEqualTo("n=node-1");
    }

    @Test
    void the_address_is_the_one_that_the_node_was_told() throws IOException {
        String parts = "nodeId: {parts: {address: true}}";

        assertThat(id(parts)).isEqualTo("n=node-1/a=10.0.0.7");
    }

    @Test
    void all_parts_stand_in_the_order_of_democratic_csi() throws IOException {
        file("proc/sys/kernel/hostname", "host-1\n");
        initiator("InitiatorName=iqn.2004-10.com.ubuntu:01:abc\n");
        hostNqn("nqn.2014-08.org.nvmexpress:uuid:68f1d462\n");

        assertThat(id(ALL)).isEqualTo("n=node-1/h=host-1/i2=abc/vu=68f1d462");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "InitiatorName=iqn.x",
                "InitiatorName=iqn.x\n",
                "InitiatorName=iqn.x\r\n",
                "  InitiatorName=  iqn.x  ",
                "InitiatorName=iqn.x # of this machine",
                "# InitiatorName=iqn.other\n\n#\nInitiatorName=iqn.x\n",
                "InitiatorAlias=a\nInitiatorName=\nInitiatorName=iqn.x\nInitiatorName=iqn.later\n",
            })
    void the_initiator_is_the_first_line_that_names_one(String content) throws IOException {
        initiator(content);

        assertThat(facts().iqn()).contains("iqn.x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "#InitiatorName=iqn.x",
                "InitiatorName",
                "InitiatorName=",
                "InitiatorName=  # none",
                "initiatorname=iqn.x",
                "GenerateName=yes\n",
                "XInitiatorName=iqn.x",
            })
    void a_file_that_names_no_initiator_tells_of_none(String content) throws IOException {
        initiator(content);

        assertThat(facts().iqn()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'nqn.x',nqn.x", "'nqn.x\n',nqn.x", "'\n  nqn.x\r\nnqn.later\n',nqn.x", "'',", "' \n\n',"})
    void the_host_s_nqn_is_the_first_line_that_is_not_blank(String content, String nqn) throws IOException {
        hostNqn(content);

        assertThat(facts().nqn()).isEqualTo(Optional.ofNullable(nqn));
    }

    @Test
    void a_node_without_these_files_has_the_other_parts() throws IOException {
        file("proc/sys/kernel/hostname", "host-1\n");

        assertThat(id(ALL)).isEqualTo("n=node-1/h=host-1");
    }

    @Test
    void a_folder_or_a_dangling_link_in_place_of_a_file_is_as_none() throws IOException {
        Files.createDirectories(root.resolve(INITIATOR));
        Files.createDirectories(root.resolve("etc/nvme"));
        Files.createSymbolicLink(root.resolve(HOST_NQN), root.resolve("gone"));

        assertThat(facts().iqn()).isEmpty();
        assertThat(facts().nqn()).isEmpty();
    }

    @Test
    void where_only_a_missing_part_is_asked_for_there_is_no_id() {
        assertThatThrownBy(() -> id("nodeId: {parts: {nodeName: false, iqn: true}}"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("nothing is known of this node that proxy.nodeId.parts asks for");
    }

    @Test
    void a_name_that_no_prefix_fits_is_refused_with_the_key_to_extend() throws IOException {
        initiator("InitiatorName=iqn.2005-03.org.open-iscsi:abc\n");

        assertThatThrownBy(() -> id(ALL))
                .hasMessageContainingAll("'iqn.2005-03.org.open-iscsi:abc'", "proxy.nodeId.iqnPrefix");
    }

    /** What a broken or evil file holds ends neither a part nor a line, and is not said at length. */
    @ParameterizedTest
    @ValueSource(strings = {"a/h=evil", "a b", "a\tb", "a\u0000b", "a\u001b[2J", "\uFFFD", "a\u0085b", "a\u2028b"})
    void a_hostile_name_is_refused_and_quoted_safely(String rest) throws IOException {
        hostNqn("nqn.2014-08.org.nvmexpress:uuid:" + rest + "\n");

        assertThatThrownBy(() -> id(ALL))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("which a node_id cannot carry")
                .message()
                .doesNotContainPattern("\\p{Cntrl}");
    }

    @Test
    void bytes_that_are_no_text_are_refused() throws IOException {
        Path file = root.resolve(HOST_NQN);
        Files.createDirectories(root.resolve("etc/nvme"));
        Files.write(file, "nqn.2014-08.org.nvmexpress:uuid:a?b".getBytes(StandardCharsets.ISO_8859_1));
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 2] = (byte) 0xff;
        Files.write(file, bytes);

        assertThatThrownBy(() -> id(ALL)).hasMessageContaining("which a node_id cannot carry");
    }

    @Test
    void an_endless_file_is_read_to_a_bound_and_its_name_is_too_long() throws IOException {
        hostNqn("nqn.2014-08.org.nvmexpress:uuid:" + "a".repeat(200_000));

        assertThat(facts().nqn()).hasValueSatisfying(nqn -> assertThat(nqn).hasSize(64 << 10));
        assertThatThrownBy(() -> id(ALL))
                .hasMessageContaining("expected: at most 256")
                .message()
                .hasSizeLessThan(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "iqnPrefix: [{shortName: A, prefix: x}]                           | lower-case letters and digits",
                "iqnPrefix: [{shortName: a, prefix: \"\"}]                          | prefix",
                "iqnPrefix: [{prefix: x}]                                         | shortName",
                "nqnPrefix: [{shortName: a, prefix: x}, {shortName: a, prefix: y}] | 'a' is given twice",
            })
    void a_table_that_cannot_be_used_is_told_before_anything_starts(String table, String why) {
        read("nodeId: {parts: {iqn: true}, " + table + "}");

        assertThat(problems.errors())
                .extracting(Problem::toString)
                .anySatisfy(text -> assertThat(text).contains("nodeId", why));
    }

    private String id(String proxy) {
        NodeIdForm form = read(proxy);
        assertThat(problems.all()).isEmpty();
        return form.of(facts());
    }

    private NodeIdForm read(String proxy) {
        var file = YamlReader.read(proxy.getBytes(StandardCharsets.UTF_8), problems)
                .orElseThrow();
        return NodeIdReader.read(ConfigNode.root(file, problems));
    }

    private LinuxNodeFacts facts() {
        return new LinuxNodeFacts(Map.of("CSI_NODE_ID", "node-1", "CSI_NODE_ADDRESS", "10.0.0.7"), root);
    }

    private void initiator(String content) throws IOException {
        file(INITIATOR, content);
    }

    private void hostNqn(String content) throws IOException {
        file(HOST_NQN, content);
    }

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, content);
    }
}
