package dev.fairlead.adapter.node.iscsi;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of sessions whose target has got another CHAP secret. */
class StaleSessionsTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String OLD = "once-upon-a-time";
    private static final String NEW = "happily-ever-after";

    @TempDir
    private Path folder;

    private ScriptedInitiator node;

    @BeforeEach
    void a_target_with_two_luns_that_is_logged_in_with_the_old_secret() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0, 1));
        attach(0, OLD);
        Files.writeString(session(1).resolve("username"), "node-1\n");
        Files.writeString(session(1).resolve("password"), OLD + "\n");
        Files.writeString(session(1).resolve("username_in"), "(null)\n");
        Files.writeString(session(1).resolve("state"), "FAILED\n");
    }

    private Path session(int number) {
        return folder.resolve("sys/class/iscsi_session/session" + number);
    }

    private Path attach(int lun, String password) {
        return AttachCalls.device(
                node.attacher(),
                new Attachment.Iscsi("10.0.0.1:3260", List.of(), "", IQN, lun),
                Map.of(
                        "node-db.node.session.auth.username",
                        new Secret("node-1"),
                        "node-db.node.session.auth.password",
                        new Secret(password)));
    }

    private long logouts() {
        return node.commands.stream().filter(it -> it.contains("--logout")).count();
    }

    @Test
    void a_lost_session_with_the_old_secret_that_nobody_uses_makes_room_for_one_with_the_new() {
        assertThat(attach(0, NEW)).hasFileName("sdb");

        assertThat(session(1)).doesNotExist();
        assertThat(session(2)).exists();
        assertThat(node.files("var/lib/iscsi/nodes"))
                .singleElement()
                .satisfies(it -> assertThat(it).content().contains(NEW).doesNotContain(OLD));
        assertThat(node.commands.toString()).doesNotContain(NEW);
    }

    @Test
    void a_lost_session_that_another_volume_uses_stays_and_the_failure_says_what_to_do() throws IOException {
        var _ = node.mount("sda");

        Failure failure = failure(() -> attach(1, NEW));

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message())
                .contains("other CHAP credentials", "/mnt/sda", "iscsiadm -m session -r 1 --logout")
                .doesNotContain(NEW, OLD);
        assertThat(logouts()).isZero();
        assertThat(Files.readString(node.files("var/lib/iscsi/nodes").getFirst()))
                .contains(NEW);
    }

    @Test
    void a_lost_session_with_the_same_secret_is_waited_for() {
        assertThat(failure(() -> attach(0, OLD)).message()).contains("as its portal does not answer it");

        assertThat(logouts()).isZero();
    }

    @Test
    void a_session_that_works_is_used_whatever_secret_it_was_made_with() throws IOException {
        Files.writeString(session(1).resolve("state"), "LOGGED_IN\n");

        assertThat(attach(1, NEW)).hasFileName("sdb");

        assertThat(logouts()).isZero();
        assertThat(session(2)).doesNotExist();
    }
}
