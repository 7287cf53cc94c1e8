package dev.fairlead.adapter.kernel.lio;

import static dev.fairlead.adapter.kernel.lio.TargetFixture.IQN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.OPEN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.TPG;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.export;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.unexport;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts do on a host, beyond what every exporter promises. */
class TargetScriptsTest {
    @TempDir
    private Path folder;

    private FakeLio lio() {
        return new FakeLio(folder);
    }

    private TargetFixture bench() {
        return new TargetFixture(lio());
    }

    @Test
    void a_target_is_as_the_peer_makes_it_and_lasts_over_a_restart() {
        StoredVolume volume = bench().volume("pvc-1");
        try (Exporter exporter = bench().exporter(TargetFixture.CHAP)) {
            Exporter.Export export = exporter.export(volume, TestWork.patient());

            assertThat(export.attachment())
                    .isEqualTo(new Attachment.Iscsi("10.0.0.1:3260", List.of("10.0.0.2:3260"), "", IQN, 0));
        }
        assertThat(lio().targets()).containsExactly(IQN);
        assertThat(lio().backstores()).containsExactly("pvc-1");
        assertThat(lio().read(TPG + "attrib/authentication")).isEqualTo("1\n");
        assertThat(lio().read(TPG + "auth/password_mutual")).isEqualTo("builder-22\n");
        assertThat(lio().read(TPG + "lun/lun_0/0a1b2c3d4e/udev_path")).isEqualTo(bench().device("pvc-1") + "\n");
        assertThat(lio().saved()).contains(IQN, bench().device("pvc-1"));
        assertThat(lio().names("etc")).containsExactly("saveconfig.json");
        assertThat(folder.resolve("run/work")).doesNotExist();
    }

    @Test
    void no_credential_is_ever_in_the_arguments_nor_in_a_failure() {
        TargetFixture fixture = bench();
        FakeLio lio = lio();
        StoredVolume volume = new TargetFixture(lio).volume("pvc-1");
        lio.write("bin/targetcli", "#!/bin/sh\ntee /dev/stderr\necho wonderland-1 >&2\n");
        try (Exporter exporter = new TargetFixture(lio).exporter(TargetFixture.CHAP)) {
            assertThatThrownBy(() -> export(exporter, volume))
                    .hasMessageContaining("does not read back")
                    .hasMessageNotContaining("wonderland-1")
                    .hasMessageNotContaining("builder-22");
        }
        assertThat(lio.seen().toString()).doesNotContain("wonderland-1").doesNotContain("builder-22");
        assertThat(fixture.exports()).isZero();
    }

    @Test
    void what_a_template_named_is_found_by_its_device_when_its_note_is_lost() {
        TargetFixture fixture = bench();
        StoredVolume volume = fixture.volume(fixture.birth("pvc-1"), Map.of("iscsi-asset", "team-pvc-1"));
        StoredVolume kept = fixture.volume("pvc-2");
        try (Exporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            export(exporter, volume);
            export(exporter, kept);
            assertThat(lio().backstores()).containsExactly("team-pvc-1", "pvc-2");

            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());

            assertThat(lio().backstores()).containsExactly("pvc-2");
            assertThat(lio().targets()).containsExactly(TargetFixture.BASE + ":pvc-2");
            assertThat(lio().saved()).doesNotContain("pvc-1").contains("pvc-2");
        }
    }

    /** After a restart, where the pool came too late for the restore. */
    @Test
    void a_saved_configuration_that_does_not_run_is_never_overwritten() {
        TargetFixture fixture = bench();
        StoredVolume old = fixture.volume("pvc-1");
        StoredVolume fresh = fixture.volume("pvc-2");
        try (Exporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            export(exporter, old);
            String saved = lio().saved();
            lio().targetcli(
                            "set global auto_save_on_exit=false",
                            "/iscsi delete " + IQN,
                            "/backstores/block delete pvc-1");

            assertThatThrownBy(() -> export(exporter, fresh))
                    .hasMessageContaining("restoreconfig")
                    .hasMessageContaining("5 of them, such as ");
            unexport(exporter, fresh);
            assertThat(lio().saved()).isEqualTo(saved);
            assertThat(lio().targets()).isEmpty();

            fixture.remove(old);
            unexport(exporter, old);
            assertThat(lio().saved()).doesNotContain("iqn.");
            export(exporter, fresh);
            assertThat(lio().saved()).contains("pvc-2");
        }
    }

    @Test
    void targetcli_killed_after_any_of_its_steps_leaves_what_a_retry_finishes() {
        TargetFixture fixture = bench();
        FakeLio lio = lio();
        StoredVolume volume = fixture.volume("pvc-1");
        StoredVolume other = fixture.volume("pvc-2");
        int steps = 0;
        try (Exporter exporter = fixture.exporter(TargetFixture.CHAP)) {
            export(exporter, other);
            boolean cut = true;
            for (; cut; steps++) {
                lio.cutAfter(steps);
                boolean made = Failing.works(() -> export(exporter, volume));
                cut = !lio.cutIsLeft();
                assertThat(made).isEqualTo(!cut);
                assertThat(lio.saved()).contains("pvc-2");
                if (steps % 2 == 0) {
                    export(exporter, volume);
                    assertThat(lio.saved()).contains(IQN);
                    assertThat(lio.read(TPG + "attrib/authentication")).isEqualTo("1\n");
                }
                unexport(exporter, volume);
                assertThat(lio.targets()).as("after %d steps", steps).containsExactly(TargetFixture.BASE + ":pvc-2");
                assertThat(lio.backstores()).containsExactly("pvc-2");
                assertThat(lio.names("lio/core")).hasSize(1);
            }
        }
        assertThat(steps).isGreaterThan(20);
    }

    @Test
    void targetcli_killed_while_it_removes_is_finished_by_a_retry() {
        TargetFixture fixture = bench();
        FakeLio lio = lio();
        StoredVolume volume = fixture.volume("pvc-1");
        StoredVolume other = fixture.volume("pvc-2");
        int steps = 0;
        try (Exporter exporter = fixture.exporter(OPEN)) {
            export(exporter, other);
            boolean cut = true;
            for (; cut; steps++) {
                export(exporter, volume);
                lio.cutAfter(steps);
                boolean gone = Failing.works(() -> unexport(exporter, volume));
                cut = !lio.cutIsLeft();
                assertThat(gone).isEqualTo(!cut);
                unexport(exporter, volume);
                assertThat(lio.backstores()).as("after %d steps", steps).containsExactly("pvc-2");
                assertThat(lio.saved()).contains("pvc-2").doesNotContain("pvc-1");
            }
        }
        assertThat(steps).isGreaterThan(6);
    }

    /** The real one saves nothing while any LUN leads nowhere or any backstore is not in use. */
    @Test
    void what_was_left_half_made_of_one_volume_does_not_stand_in_the_way_of_others() {
        TargetFixture fixture = bench();
        try (Exporter exporter = fixture.exporter(OPEN)) {
            export(exporter, fixture.volume("pvc-1"));
            lio().write("run/work.begun", IQN + "\n" + fixture.device("pvc-1") + "\n");
            lio().remove(TPG + "lun/lun_0/0a1b2c3d4e");
            lio().write("lio/core/iblock_7/pvc-7/enable", "0\n");

            export(exporter, fixture.volume("pvc-2"));

            assertThat(lio().saved()).contains("pvc-2");
            assertThat(lio().backstores()).containsExactlyInAnyOrder("pvc-1", "pvc-2");
        }
    }

    /** What was made then was never looked at: an attribute that makes its users known may have been refused. */
    @Test
    void what_a_killed_export_has_made_is_neither_saved_by_another_nor_left_open_by_its_repetition() {
        TargetFixture bench = bench();
        FakeLio lio = lio();
        String real = lio.read("bin/targetcli");
        String killing = real.replace("dump() {", "dump() { kill -9 \"$(cut -d ' ' -f 4 /proc/$PPID/stat)\"; exit 1;");
        String record = "\"storage_object\": \"/backstores/block/pvc-1\"";
        StoredVolume volume = bench.volume("pvc-1");
        try (Exporter spoiled = bench.exporter(Map.of("attributes", Map.of("no_such_thing", 1)));
                Exporter good = bench.exporter(TargetFixture.CHAP)) {
            Runnable repetition = () ->
                    assertThat(Failing.works(() -> export(spoiled, volume))).isFalse();
            StoredVolume other = bench.volume("pvc-2");
            for (Runnable next :
                    List.<Runnable>of(() -> export(good, other), () -> unexport(good, other), repetition)) {
                lio.write("bin/targetcli", killing);
                assertThat(Failing.works(() -> export(spoiled, volume))).isFalse();
                assertThat(lio.names(TPG + "lun")).containsExactly("lun_0");
                assertThat(lio.saved()).doesNotContain(record);
                lio.write("bin/targetcli", real);

                next.run();

                assertThat(lio.names(TPG + "lun")).isEmpty();
                assertThat(lio.saved()).doesNotContain(record);
            }
            export(good, volume);
            assertThat(lio.names(TPG + "lun")).containsExactly("lun_0");
            assertThat(lio.saved()).contains(record);
        }
    }

    @Test
    void an_attribute_that_the_kernel_does_not_know_leaves_nobody_a_way_in() {
        StoredVolume volume = bench().volume("pvc-1");
        try (Exporter exporter = bench().exporter(Map.of("attributes", Map.of("no_such_thing", 1)))) {
            assertThatThrownBy(() -> export(exporter, volume)).hasMessageContaining("no_such_thing");

            assertThat(lio().names(TPG + "lun")).isEmpty();
            assertThat(lio().saved()).isEmpty();
            unexport(exporter, volume);
            assertThat(bench().exports()).isZero();
        }
    }

    @Test
    void a_new_password_reaches_a_target_that_is_there() {
        StoredVolume volume = bench().volume("pvc-1");
        try (Exporter old = bench().exporter(TargetFixture.CHAP);
                Exporter renewed = bench().exporter(Map.of(
                        "attributes",
                        Map.of("authentication", 1),
                        "auth",
                        Map.of("userid", "alice", "password", "another-?;&*$!#,=_\\+/.<>()~@:-%[]")))) {
            export(old, volume);
            export(renewed, volume);

            assertThat(lio().read(TPG + "auth/password")).isEqualTo("another-?;&*$!#,=_\\+/.<>()~@:-%[]\n");
        }
    }

    @Test
    void a_volume_without_a_device_is_not_exported() throws Exception {
        StoredVolume volume = bench().volume("pvc-1");
        bench().remove(volume);

        try (Exporter exporter = bench().exporter(OPEN)) {
            Failing.with(Failure.BackendUnavailable.class, () -> export(exporter, volume));
        }

        assertThat(bench().exports()).isZero();
    }

    /** A script that is given up while it still waits within its own bounds goes on without anybody. */
    @Test
    void a_script_has_the_time_that_its_own_bounds_allow() {
        FakeLio lio = lio();
        try (Exporter exporter = new TargetFixture(lio).exporter(OPEN)) {
            StoredVolume volume = new TargetFixture(lio).volume("pvc-1");
            export(exporter, volume);
            unexport(exporter, volume);
        }

        assertThat(lio.limits()).containsExactly(lio.host().patience());
        assertThat(LioHost.USUAL.patience()).isEqualTo(Duration.ofSeconds(30 + 2 * 60 + 10 + 30));
    }

    @Test
    void a_host_without_targetcli_is_told_of() throws Exception {
        FakeLio lio = lio();
        StoredVolume volume = bench().volume("pvc-1");
        Files.delete(folder.resolve("bin/targetcli"));

        try (Exporter exporter = new TargetFixture(lio).exporter(OPEN)) {
            assertThatThrownBy(() -> export(exporter, volume)).hasMessageContaining("targetcli is not installed");
        }
    }
}
