package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of a volume with several portals of which some are dead. */
class IscsiPortalsTest extends TwoPortals {
    private boolean leavesMissing() {
        return leavesMissing(IQN);
    }

    private void oneOfTwoIsUsable() {
        assertThat(paths()).hasSize(2);
        assertThat(usable()).containsExactly("portal " + LIVE);
    }

    private void bothAreUsable() {
        assertThat(paths()).hasSize(2);
        assertThat(usable()).containsExactlyInAnyOrder("portal " + LIVE, "portal " + DEAD);
    }

    private int sessions() throws IOException {
        try (var all = Files.list(folder.resolve("sys/class/iscsi_session"))) {
            return (int) all.count();
        }
    }

    @Test
    void the_only_path_that_lives_is_used_by_a_map_whose_id_multipathd_is_told() {
        node.strict = true;
        node.unheard = 2;

        assertThat(staged().path()).hasFileName("dm-0");

        assertThat(node.commands).contains("multipath -a " + node.root().resolve("dev/sda"));
        oneOfTwoIsUsable();
    }

    @Test
    void a_volume_with_one_portal_is_not_forced_into_a_map() {
        node.strict = true;
        var one = new Attachment.Iscsi(LIVE, List.of(), "", IQN, 0);

        assertThat(AttachCalls.device(attacher, one, Map.of())).hasFileName("sda");

        assertThat(node.commands).noneMatch(it -> it.startsWith("multipath"));
    }

    @Test
    void a_disk_that_is_mounted_without_a_map_stays_what_is_used() {
        node.multipathd = false;
        assertThat(staged().path()).hasFileName("sda");
        var _ = node.mount("sda");
        node.multipathd = true;

        assertThat(staged().path()).hasFileName("sda");

        heal();
        assertThat(leavesMissing()).isFalse();
        assertThat(logins(DEAD)).as("that of the first staging").hasSize(1);
    }

    @Test
    void without_multipathd_the_disk_is_used_and_no_id_is_noted() {
        node.multipathd = false;

        assertThat(staged().path()).hasFileName("sda");

        assertThat(node.commands).noneMatch(it -> it.startsWith("multipath -a"));
        oneOfTwoIsUsable();
    }

    @Test
    void a_portal_that_is_silent_is_asked_and_not_logged_in_at() {
        var _ = staged();
        node.probes.clear();

        assertThat(leavesMissing()).isTrue();

        assertThat(node.probes).containsExactly(DEAD);
        assertThat(logins(DEAD)).as("that of staging").hasSize(1);
    }

    @Test
    void a_portal_that_answers_again_is_a_further_path_of_the_map() throws IOException {
        var _ = staged();
        heal();

        assertThat(leavesMissing()).isFalse();

        bothAreUsable();
        assertThat(folder.resolve("sys/class/block/dm-0/slaves/sdb")).exists();
        assertThat(sessions()).isEqualTo(2);
    }

    @Test
    void the_credentials_are_those_of_the_record_and_none_are_tried_without_it() throws IOException {
        var _ = staged(IQN, 0, ScriptedInitiator.chap("a-pass-word-12"));
        Path record = node.files("var/lib/iscsi").stream()
                .filter(it -> it.toString().contains("10.0.0.2"))
                .findFirst()
                .orElseThrow();
        assertThat(record).content().contains("node.session.auth.password = a-pass-word-12");
        String kept = Files.readString(record);
        Files.delete(record);
        heal();

        assertThat(leavesMissing()).isTrue();
        assertThat(logins(DEAD)).as("that of staging").hasSize(1);

        Files.writeString(record, kept);
        assertThat(leavesMissing()).isFalse();
        assertThat(record).content().isEqualTo(kept);
        assertThat(node.commands).noneMatch(it -> it.contains("a-pass-word-12"));
    }

    @Test
    void nothing_comes_back_of_a_volume_that_is_detached_though_the_journal_still_has_it() throws IOException {
        Attached.Device device = staged();
        attacher.detach(volume(0), device.facts(), TestWork.patient());
        heal();

        assertThat(leavesMissing()).isFalse();

        assertThat(sessions()).isZero();
        assertThat(node.files("var/lib/iscsi")).isEmpty();
    }

    @Test
    void the_record_of_a_dead_portal_stays_for_another_lun_of_its_target() {
        Attached.Device device = staged();
        var _ = staged(IQN, 1);

        attacher.detach(volume(0), device.facts(), TestWork.patient());

        assertThat(node.files("var/lib/iscsi")).anyMatch(it -> it.toString().contains("10.0.0.2"));
    }

    @Test
    void a_portal_that_leads_to_another_disk_gives_no_path() {
        var _ = staged();
        node.others.put(DEAD, "naa.another");
        heal();

        assertThat(leavesMissing()).isTrue();

        assertThat(folder.resolve("sys/class/block/sdb")).doesNotExist();
        assertThat(folder.resolve("sys/class/block/sda")).exists();
        oneOfTwoIsUsable();
    }

    @Test
    void another_disk_that_is_part_of_a_map_stays_though_nobody_has_it_open() {
        var _ = staged();
        node.mapsOthers = true;
        node.others.put(DEAD, "naa.another");
        heal();

        assertThat(leavesMissing()).isTrue();

        assertThat(folder.resolve("sys/class/block/sdb")).exists();
        assertThat(folder.resolve("sys/class/block/dm-0")).exists();
        assertThat(node.commands).noneMatch(it -> it.startsWith("multipath -f"));
    }

    @Test
    void a_disk_whose_identity_cannot_be_read_stays() {
        var _ = staged();
        node.others.put(DEAD, "");
        heal();

        assertThat(leavesMissing()).isFalse();

        assertThat(folder.resolve("sys/class/block/sdb")).exists();
    }

    @Test
    void a_portal_that_shows_no_lun_keeps_no_volume_of_its_target_waiting() throws InterruptedException {
        var _ = staged();
        var _ = staged(IQN, 1);
        node.hiding.add(DEAD);
        node.looks = new CountDownLatch(2);
        node.appearing = Duration.ofMinutes(1);
        heal();
        IscsiRetry retry = node.retry();
        Thread round = MountSandbox.THREADS.newThread(() -> {
            try {
                retry.leavesMissing(IQN, TestWork.patient());
            } catch (StorageException _) {
                // it is interrupted
            }
        });

        round.start();
        assertThat(node.looks.await(20, TimeUnit.SECONDS)).isTrue();

        TestWork other = TestWork.patient().left(Duration.ofSeconds(5));
        assertThatCode(() -> node.locks.hold("target " + IQN, other).close()).doesNotThrowAnyException();
        round.interrupt();
        round.join();
    }

    @Test
    void what_is_missing_again_is_looked_for_and_not_waited_for() {
        var _ = staged();
        node.hiding.add(DEAD);
        node.appearing = Duration.ofSeconds(3);
        heal();
        IscsiRetry retry = node.retry();
        assertThat(retry.leavesMissing(IQN, TestWork.patient())).isTrue();

        long began = System.nanoTime();
        assertThat(retry.leavesMissing(IQN, TestWork.patient())).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));

        node.hiding.clear();
        assertThat(retry.leavesMissing(IQN, TestWork.patient())).isFalse();
        bothAreUsable();
    }

    @Test
    void a_new_process_goes_on_with_what_the_journal_names() throws InterruptedException {
        Attached.Device device = staged();
        node.beforeRetry = Duration.ofMillis(10);
        IscsiAttacher started = node.attacher();

        started.restorePaths(volume(0), device.facts(), TestWork.patient());
        heal();

        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (usable().size() < 2 && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        bothAreUsable();
    }
}
