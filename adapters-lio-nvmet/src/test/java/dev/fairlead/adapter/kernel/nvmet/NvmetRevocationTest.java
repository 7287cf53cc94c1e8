package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.kernel.Warnings;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shutting hosts out, beyond what every exporter promises. */
class NvmetRevocationTest {
    private static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:000";
    private static final String CLI = "nvmeof.shareStrategyNvmetCli.";

    private final NvmetFixture fixture;
    private final StoredVolume volume;

    NvmetRevocationTest(@TempDir Path folder) {
        fixture = new NvmetFixture(folder);
        Map<String, String> notes = new HashMap<>(Access.CLOSED);
        notes.put("nvmeof-asset", "pvc-1");
        volume = fixture.volume(fixture.birth("pvc-1"), notes);
    }

    private static Grants grants(int... nodes) {
        Grants grants = Grants.NONE;
        for (int node : nodes) {
            grants = grants.with(
                    new Grant("node-" + node, HOST + node, false, AccessMode.MULTI_NODE_MULTI_WRITER, true));
        }
        return grants;
    }

    private void admit(Mapping file, int... nodes) {
        try (NvmetExporter exporter = fixture.exporter(file)) {
            exporter.admit(volume, grants(nodes), TestWork.patient());
        }
    }

    private void revoke(Mapping file, int... remaining) {
        try (NvmetExporter exporter = fixture.exporter(file)) {
            exporter.revoke(volume, grants(remaining), TestWork.patient());
        }
    }

    private Mapping edited(String key, Object value) {
        return ConfigTrees.with(fixture.file(), CLI + key, value);
    }

    private void assertLetIn(int... nodes) {
        assertThat(fixture.letIn(volume).orElseThrow().keySet())
                .containsExactlyElementsOf(grants(nodes).initiators().keySet());
    }

    @Test
    void a_host_is_shut_out_where_the_file_has_another_base_of_names_by_now() {
        admit(fixture.file(), 1, 2);

        revoke(edited("basename", "nqn.2003-01.org.example.other"), 2);

        assertLetIn(2);
    }

    @Test
    void a_host_is_shut_out_of_a_volume_whose_device_is_gone() {
        admit(fixture.file(), 1);
        fixture.remove(volume);

        revoke(fixture.file());

        assertLetIn();
    }

    @Test
    void a_script_killed_after_any_of_its_changes_leaves_what_a_retry_finishes() {
        int changes = 1;
        for (boolean cut = true; cut; changes++) {
            admit(fixture.file(), 1, 2);
            fixture.host().killAfter(changes);
            cut = !Failing.works(() -> revoke(fixture.file(), 2));
            fixture.host().killAfter(0);

            revoke(fixture.file(), 2);

            assertLetIn(2);
        }
        assertThat(changes).isGreaterThan(2);
    }

    /**
     * A host that stays connected does not keep the others', nor what is restored after a restart, from being right.
     */
    @Test
    void a_connection_that_does_not_end_keeps_no_host_in_the_saved_configuration() {
        admit(fixture.file(), 1, 2);
        fixture.connection("pvc-1", 1, HOST + "1");

        Failing.with(Failure.BackendUnavailable.class, () -> revoke(fixture.file(), 2));

        assertLetIn(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"config.json.fairlead/in-the-way", "config.json"})
    void a_connected_host_is_cut_off_though_the_configuration_can_be_saved_or_read_no_more(String inTheWay)
            throws IOException {
        admit(fixture.file(), 1, 2);
        Path goes = fixture.connection("pvc-1", 1, HOST + "1");
        Path stays = fixture.connection("pvc-1", 2, HOST + "2");
        Path folder = fixture.config().resolveSibling(inTheWay);
        Files.deleteIfExists(folder);
        Files.createDirectories(folder);

        Failing.with(Failure.BackendUnavailable.class, () -> revoke(fixture.file(), 2));

        assertThat(NvmetFixture.read(goes.resolve("state"))).isEqualTo("fatal");
        assertThat(NvmetFixture.read(stays.resolve("state"))).isEqualTo("ready\n");
    }

    @Test
    void a_host_is_shut_out_before_the_saved_configuration_is_marked_as_restored() {
        admit(fixture.file(), 1);

        Mapping starting = edited("configIsImportedFilePath", "/nowhere/imported");
        Failing.with(Failure.BackendUnavailable.class, () -> revoke(starting));

        assertLetIn();
    }

    @Test
    void a_host_is_shut_out_of_the_kernel_s_target_though_the_saved_configuration_cannot_be_read() throws IOException {
        admit(fixture.file(), 1, 2);
        Files.delete(fixture.config());
        Files.createDirectory(fixture.config());

        assertThatThrownBy(() -> revoke(fixture.file(), 2))
                .hasMessageContaining("cannot be read")
                .hasMessageContaining("shut out until the storage host starts anew");
        assertThatThrownBy(() -> revoke(fixture.file(), 1, 2)).hasMessageContaining("cannot be read");

        assertThat(fixture.allowed(volume))
                .as("and nobody is let in again by a script that comes late")
                .containsExactly(HOST + "2");
    }

    /** Half of a file after a power cut, for example: what is restored by it stays to be corrected by hand. */
    @Test
    void a_host_is_shut_out_of_the_kernel_s_target_though_the_saved_configuration_is_damaged() throws IOException {
        admit(fixture.file(), 1, 2);
        String whole = Files.readString(fixture.config());
        String half = whole.substring(0, whole.length() / 2);
        Files.writeString(fixture.config(), half);

        assertThatThrownBy(() -> revoke(fixture.file(), 2))
                .hasMessageContaining("is not JSON")
                .hasMessageContaining("shut out until the storage host starts anew");

        assertThat(fixture.config()).hasContent(half);
        assertThat(fixture.allowed(volume)).containsExactly(HOST + "2");
    }

    /** The restore has read the old configuration, and ends while the host is shut out. */
    @Test
    void a_host_that_the_restore_brings_back_is_shut_out_by_the_retry() throws IOException {
        Path marker = fixture.root().resolve("imported");
        Mapping starting = edited("configIsImportedFilePath", marker.toString());
        admit(fixture.file(), 1);
        Failing.with(Failure.BackendUnavailable.class, () -> revoke(starting));

        Files.createSymbolicLink(
                fixture.subsystem("pvc-1").resolve("allowed_hosts").resolve(HOST + 1),
                fixture.root().resolve("hosts").resolve(HOST + 1));
        NvmetFixture.write(marker, "");
        revoke(starting);

        assertLetIn();
    }

    /** What is being restored may bring a host back. */
    @Test
    void nothing_is_shut_out_of_a_target_that_is_not_restored_yet() {
        admit(fixture.file(), 1);
        try (NvmetExporter exporter = fixture.exporter()) {
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }

        Failing.with(
                Failure.BackendUnavailable.class,
                () -> revoke(edited("configIsImportedFilePath", "/nowhere/imported")));
    }

    @Test
    void a_subsystem_that_shows_anothers_device_too_is_not_touched_and_keeps_nobody_elses_open() {
        admit(fixture.file(), 1);
        Path other = fixture.root().resolve("subsystems/other");
        NvmetFixture.write(other.resolve("namespaces/1/device_path"), "/dev/sdz\n");
        NvmetFixture.write(other.resolve("namespaces/2/device_path"), fixture.device("pvc-1") + "\n");
        NvmetFixture.write(other.resolve("attr_allow_any_host"), "1\n");

        Failing.with(Failure.NotOurs.class, () -> revoke(fixture.file()));

        assertThat(NvmetFixture.read(other.resolve("attr_allow_any_host"))).isEqualTo("1\n");
        assertThat(NvmetFixture.children(fixture.subsystem("pvc-1").resolve("allowed_hosts")))
                .isZero();
    }

    @Test
    void a_host_is_let_in_to_a_subsystem_that_does_not_take_an_attribute_any_more() {
        admit(fixture.file(), 1);

        admit(edited("subsystem.attributes.colour", "red"), 1, 2);

        assertLetIn(1, 2);
        assertThat(NvmetFixture.read(fixture.config())).doesNotContain("colour");
    }

    @Test
    void an_attribute_that_a_subsystem_does_not_take_any_more_is_told_and_holds_up_no_shutting_out() {
        Mapping file = edited("subsystem.attributes.colour", "red");
        admit(fixture.file(), 1);

        try (Warnings warnings = new Warnings(Nvmet.class)) {
            admit(file, 1, 2);
            revoke(file, 2);

            assertThat(warnings.texts())
                    .singleElement()
                    .asString()
                    .contains("connection nas", "pvc-1", "[colour]", "subsystem.attributes", "stays as it is");
        }
        assertLetIn(2);
    }

    @Test
    void attributes_that_a_subsystem_takes_are_not_warned_of() {
        admit(fixture.file(), 1);

        try (Warnings warnings = new Warnings(Nvmet.class)) {
            admit(fixture.file(), 1, 2);

            assertThat(warnings.texts()).isEmpty();
        }
    }

    @Test
    void nobody_is_let_in_by_a_port_that_is_not_there() {
        admit(fixture.file(), 1);

        Failing.with(Failure.BackendUnavailable.class, () -> admit(edited("ports", List.of("9")), 1, 2));

        assertLetIn(1);
    }
}
