package dev.fairlead.adapter.kernel.lio;

import static dev.fairlead.adapter.kernel.lio.TargetFixture.IQN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.OPEN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.export;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.unexport;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others have saved, and what runs of it after a restart that did not bring all of it back. */
class TargetLossesTest {
    private static final String THEIRS = "iqn.2001-04.com.example:theirs";
    private static final String NODE = "iqn.1993-08.org.debian:01:node";
    private static final String TPG = "lio/iscsi/" + THEIRS + "/tpgt_1/";

    @TempDir
    private Path folder;

    private FakeLio lio() {
        return new FakeLio(folder);
    }

    private TargetFixture bench() {
        return new TargetFixture(lio());
    }

    @BeforeEach
    void an_administrator_has_a_target() {
        lio().write("dev/theirs", "");
        lio().targetcli(
                        "/backstores/block create theirs " + folder.resolve("dev/theirs"),
                        "/iscsi create " + THEIRS,
                        "/iscsi/" + THEIRS + "/tpg1/luns create /backstores/block/theirs 0",
                        "/iscsi/" + THEIRS + "/tpg1/acls create " + NODE,
                        "/iscsi/" + THEIRS + "/tpg1/acls/" + NODE + " create 0 0");
    }

    @ParameterizedTest
    @CsvSource({
        "np/0.0.0.0:3260, 1 of them such as np/0.0.0.0:3260",
        "acls/" + NODE + "/lun_0, 1 of them such as acls/" + NODE + "/lun_0",
        "acls/" + NODE + ", 2 of them such as acls/" + NODE,
        "lun/lun_0, 1 of them such as lun/lun_0"
    })
    void whatever_a_restore_left_out_of_anothers_target_stays_saved(String gone, String words) throws IOException {
        String saved = lio().saved();
        int runs = lio().seen().size();
        new ProcessBuilder("rm", "-r", folder.resolve(TPG + gone).toString())
                .start()
                .onExit()
                .join();

        try (Exporter exporter = bench().exporter(OPEN)) {
            String expected = words.replace("such as ", "such as iscsi/" + THEIRS + "/tpgt_1/");
            assertThatThrownBy(() -> export(exporter, bench().volume("pvc-1")))
                    .hasMessageContaining(expected.replace("them", "them,"))
                    .hasMessageContaining("restoreconfig");
        }

        assertThat(runs).isZero();
        assertThat(lio().saved()).isEqualTo(saved);
        assertThat(lio().targets()).containsExactly(THEIRS);
        assertThat(lio().backstores()).containsExactly("theirs");
    }

    @Test
    void what_is_lost_while_targetcli_is_at_work_stays_saved() {
        StoredVolume volume = bench().volume("pvc-1");
        String saved = lio().saved();
        FakeLio lio = lio();
        String real = lio.read("bin/targetcli");
        lio.write(
                "bin/targetcli", real.replace("dump() {", "dump() { rmdir \"$LIO/iscsi/" + THEIRS + "\"/tpgt_1/np/*;"));

        try (Exporter exporter = new TargetFixture(lio).exporter(OPEN)) {
            assertThatThrownBy(() -> export(exporter, volume)).hasMessageContaining("tpgt_1/np/0.0.0.0:3260");
        }

        assertThat(lio.saved()).isEqualTo(saved);
    }

    /** What the kernel calls them is not what targetcli calls them; so it is seen only in what it would save. */
    @ParameterizedTest
    @ValueSource(strings = {"ib.fe800000000000000002c903000f0000", "naa.2100001b32000000", "eui.0020c20000000000"})
    void a_target_of_another_fabric_stays_saved(String name) {
        StoredVolume volume = bench().volume("pvc-1");
        lio().write(
                        "also",
                        "    {\n      \"fabric\": \"srpt\",\n      \"tpgs\": [],\n      \"wwn\": \"" + name
                                + "\"\n    }\n");
        try (Exporter exporter = bench().exporter(OPEN)) {
            export(exporter, volume);
            String saved = lio().saved();
            assertThat(saved).contains(name);
            lio().remove("also");

            assertThatThrownBy(() -> unexport(exporter, volume)).hasMessageContaining("srpt/" + name);
            assertThat(lio().saved()).isEqualTo(saved);
        }
    }

    /** As targetcli 2.1.53 has saved it. */
    @Test
    void a_file_of_the_real_targetcli_is_read_to_its_end() throws IOException {
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("saveconfig.json"))) {
            lio().write("etc/saveconfig.json", new String(file.readAllBytes(), StandardCharsets.UTF_8));
        }

        try (Exporter exporter = bench().exporter(OPEN)) {
            assertThatThrownBy(() -> export(exporter, bench().volume("pvc-1")))
                    .hasMessageContaining("15 of them, such as loopback/naa.5001405deadbeef0")
                    .hasMessageNotContaining("password");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\n  \"targets\": [\n", "{]}", "targets", "{\"targets\" = []}", "[]]"})
    void a_file_that_is_not_understood_is_not_written_over(String text) {
        lio().write("etc/saveconfig.json", text);
        try (Exporter exporter = bench().exporter(OPEN)) {
            assertThatThrownBy(() -> export(exporter, bench().volume("pvc-1")))
                    .hasMessageContaining("is not what targetcli saves");
        }
        assertThat(lio().saved()).isEqualTo(text);
        assertThat(lio().targets()).containsExactly(THEIRS);
    }

    /** Only a restart of the host makes what was begun a loss: then its saved state is what comes back. */
    @Test
    void a_volume_whose_removal_was_cut_does_not_hold_up_the_others() {
        StoredVolume volume = bench().volume("pvc-1");
        StoredVolume other = bench().volume("pvc-2");
        FakeLio lio = lio();
        try (Exporter exporter = new TargetFixture(lio).exporter(OPEN)) {
            export(exporter, volume);
            lio.cutAfter(4);
            assertThat(Failing.works(() -> unexport(exporter, volume))).isFalse();
            assertThat(lio.targets()).doesNotContain(IQN);
            assertThat(lio.saved()).contains(IQN);
            String begun = lio.read("run/work.begun");
            lio.remove("run/work.begun");
            assertThatThrownBy(() -> export(exporter, other)).hasMessageContaining("such as iscsi/" + IQN);

            lio.write("run/work.begun", begun);
            export(exporter, other);

            assertThat(lio.saved()).doesNotContain(IQN + "\"").contains("pvc-2", THEIRS);
            assertThat(lio.names("run")).containsExactly("lock");
        }
    }

    /** A target of the volume's name that was another's is another's also where it has not come back. */
    @Test
    void a_saved_target_of_the_volumes_name_that_leads_elsewhere_is_not_ours_to_lose() {
        StoredVolume volume = bench().volume("pvc-1");
        lio().targetcli("/iscsi create " + IQN, "/iscsi/" + IQN + "/tpg1/luns create /backstores/block/theirs 0");
        String saved = lio().saved();
        lio().targetcli("set global auto_save_on_exit=false", "/iscsi delete " + IQN);

        try (Exporter exporter = bench().exporter(OPEN)) {
            Failing.with(Failure.BackendUnavailable.class, () -> export(exporter, volume));
            Failing.with(Failure.BackendUnavailable.class, () -> unexport(exporter, volume));
        }

        assertThat(lio().saved()).isEqualTo(saved);
    }
}
