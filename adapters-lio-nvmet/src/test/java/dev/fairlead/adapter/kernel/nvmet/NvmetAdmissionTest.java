package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script does for subsystems that are closed, beyond what every exporter promises. */
class NvmetAdmissionTest {
    private static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:000";

    private final NvmetFixture fixture;

    NvmetAdmissionTest(@TempDir Path folder) {
        fixture = new NvmetFixture(folder);
    }

    private static Grants grants(int... nodes) {
        Grants grants = Grants.NONE;
        for (int node : nodes) {
            grants = grants.with(
                    new Grant("node-" + node, HOST + node, false, AccessMode.MULTI_NODE_MULTI_WRITER, true));
        }
        return grants;
    }

    private StoredVolume closed(String name) {
        Map<String, String> notes = new HashMap<>(Access.CLOSED);
        notes.put("nvmeof-asset", name);
        return fixture.volume(fixture.birth(name), notes);
    }

    private static void gone(NvmetExporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
    }

    @Test
    void a_script_killed_after_any_of_its_changes_leaves_what_a_retry_finishes() {
        int changes = 1;
        try (NvmetExporter exporter = fixture.exporter()) {
            StoredVolume volume = closed("pvc-1");
            boolean cut = true;
            for (; cut; changes++) {
                exporter.admit(volume, grants(1, 2), TestWork.patient());
                fixture.host().killAfter(changes);
                cut = !Failing.works(() -> exporter.admit(volume, grants(2, 3), TestWork.patient()));
                fixture.host().killAfter(0);
                assertThat(Files.exists(fixture.subsystem("pvc-1").resolve("allowed_hosts/" + HOST + "2")))
                        .as("the one who stays, after %d changes", changes)
                        .isTrue();

                exporter.admit(volume, grants(2, 3), TestWork.patient());

                assertThat(fixture.letIn(volume).orElseThrow()).containsOnlyKeys(HOST + "2", HOST + "3");
            }
            gone(exporter, volume);
        }
        assertThat(changes).isGreaterThan(4);
        assertThat(fixture.exports()).isZero();
    }

    @Test
    void a_script_killed_while_the_last_is_shut_out_is_finished_by_a_retry() {
        int changes = 1;
        try (NvmetExporter exporter = fixture.exporter()) {
            StoredVolume volume = closed("pvc-1");
            boolean cut = true;
            for (; cut; changes++) {
                exporter.admit(volume, grants(1), TestWork.patient());
                fixture.host().killAfter(changes);
                cut = !Failing.works(() -> exporter.admit(volume, Grants.NONE, TestWork.patient()));
                fixture.host().killAfter(0);

                exporter.admit(volume, Grants.NONE, TestWork.patient());

                assertThat(fixture.letIn(volume).orElseThrow()).isEmpty();
            }
            gone(exporter, volume);
        }
        assertThat(changes).isGreaterThan(3);
    }

    /** At no change of a first export does the kernel take whoever comes. */
    @Test
    void a_closed_volume_is_open_at_no_moment_of_its_making() {
        try (NvmetExporter exporter = fixture.exporter()) {
            boolean cut = true;
            for (int changes = 1; cut; changes++) {
                StoredVolume volume = closed("pvc-1");
                fixture.host().killAfter(changes);
                cut = !Failing.works(() -> exporter.export(volume, TestWork.patient()));
                fixture.host().killAfter(0);
                Path open = fixture.subsystem("pvc-1").resolve("attr_allow_any_host");
                assertThat(!Files.exists(open)
                                || NvmetFixture.read(open).strip().equals("0"))
                        .isTrue();
                assertThat(NvmetFixture.children(fixture.port("1").resolve("subsystems")))
                        .isZero();
                gone(exporter, volume);
            }
        }
    }

    /** The kernel ends a connection in its own time, and until then the host is not said to be shut out. */
    @Test
    void a_host_that_is_shut_out_is_cut_off_and_the_others_are_not() {
        try (NvmetExporter exporter = fixture.exporter()) {
            StoredVolume volume = closed("pvc-1");
            exporter.admit(volume, grants(1, 2), TestWork.patient());
            Path stays = fixture.connection("pvc-1", 1, HOST + "1");
            Path goes = fixture.connection("pvc-1", 2, HOST + "2");
            Path elsewhere = fixture.connection("pvc-2", 1, HOST + "2");

            Failing.with(Failure.BackendUnavailable.class, () -> exporter.admit(volume, grants(1), TestWork.patient()));
            assertThat(NvmetFixture.read(goes.resolve("state"))).isEqualTo("fatal");
            NvmetFixture.delete(goes.resolve("state"));
            exporter.admit(volume, grants(1), TestWork.patient());

            assertThat(fixture.letIn(volume).orElseThrow()).containsOnlyKeys(HOST + "1");
            assertThat(NvmetFixture.read(stays.resolve("state"))).isEqualTo("ready\n");
            assertThat(NvmetFixture.read(elsewhere.resolve("state"))).isEqualTo("ready\n");
            gone(exporter, volume);
        }
    }

    @Test
    void nobody_is_cut_off_from_an_open_volume() {
        try (NvmetExporter exporter = fixture.exporter()) {
            StoredVolume volume = fixture.volume("pvc-1");
            Path connection = fixture.connection("pvc-1", 1, HOST + "1");

            exporter.export(volume, TestWork.patient());

            assertThat(NvmetFixture.read(connection.resolve("state"))).isEqualTo("ready\n");
            gone(exporter, volume);
        }
    }

    @Test
    void hosts_that_an_administrator_lets_in_to_an_open_volume_stay() {
        StoredVolume volume = fixture.volume("pvc-1");
        var file = ConfigTrees.with(
                fixture.file(), "nvmeof.shareStrategyNvmetCli.subsystem.attributes.allow_any_host", "false");
        try (NvmetExporter exporter = fixture.exporter(file)) {
            exporter.export(volume, TestWork.patient());
            NvmetFixture.mkdir(fixture.root().resolve("hosts/theirs"));
            NvmetFixture.mkdir(fixture.subsystem("pvc-1").resolve("allowed_hosts/theirs"));

            exporter.export(volume, TestWork.patient());

            assertThat(fixture.subsystem("pvc-1").resolve("allowed_hosts/theirs"))
                    .exists();
            NvmetFixture.delete(fixture.subsystem("pvc-1").resolve("allowed_hosts/theirs"));
            gone(exporter, volume);
        }
    }

    @Test
    void two_controllers_that_let_hosts_in_lose_none_of_each_others() {
        try (NvmetExporter one = fixture.exporter();
                NvmetExporter two = fixture.exporter()) {
            List<StoredVolume> volumes = List.of(closed("pvc-1"), closed("pvc-2"), closed("pvc-3"), closed("pvc-4"));

            Concurrently.run(List.of(
                    () -> one.admit(volumes.get(0), grants(1, 2), TestWork.patient()),
                    () -> two.admit(volumes.get(1), grants(2, 3), TestWork.patient()),
                    () -> one.admit(volumes.get(2), grants(1, 3), TestWork.patient()),
                    () -> two.admit(volumes.get(3), grants(4), TestWork.patient())));

            assertThat(fixture.letIn(volumes.get(0)).orElseThrow()).containsOnlyKeys(HOST + "1", HOST + "2");
            assertThat(fixture.letIn(volumes.get(3)).orElseThrow()).containsOnlyKeys(HOST + "4");
            volumes.forEach(volume -> gone(one, volume));
        }
        assertThat(fixture.exports()).isZero();
    }

    @Test
    void what_reads_back_differently_is_no_success() {
        Subsystem wanted = new Subsystem("nqn.x", "/dev/a", Map.of(), List.of("1")).closedTo(List.of(HOST + "1"));
        String shown = "namespaces\t1\nenable\t1\ndevice_path\t/dev/a\nattr_allow_any_host\t0\n";
        String linked = shown + "link\t1\n";

        assertThat(NvmetReport.read(linked + "host\t" + HOST + "1\n").difference(wanted))
                .isEmpty();
        assertThat(NvmetReport.read(linked).difference(wanted))
                .hasValueSatisfying(why -> assertThat(why).contains("let in"));
        assertThat(NvmetReport.read(linked + "host\t" + HOST + "1\nhost\t" + HOST + "2\n")
                        .difference(wanted))
                .isPresent();
        assertThat(NvmetReport.read(linked).difference(wanted.closedTo(List.of())))
                .contains("port 1 still shows it");
        assertThat(NvmetReport.read(shown).difference(wanted.closedTo(List.of())))
                .isEmpty();
    }
}
