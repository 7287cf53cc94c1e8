package dev.fairlead.application.port.out.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command.Input;
import dev.fairlead.application.port.out.host.Command.Output;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {
    private static final Effect EFFECT = new Effect("zfs-list", "tank");

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "half \ud800 a character", "\udc00"})
    void a_word_that_no_program_can_be_given_is_refused(String word) {
        assertThatThrownBy(() -> Command.of(EFFECT, List.of("/bin/echo", word)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_program_is_named() {
        assertThatThrownBy(() -> Command.of(EFFECT, List.of())).hasMessageContaining("expected: a program");
    }

    @Test
    void a_secret_is_not_seen_in_its_text() {
        Command command = Command.of(EFFECT, List.of("/bin/cat")).reading(new Input.Text(new Secret("s3cret")));

        assertThat(command.toString()).doesNotContain("s3cret");
    }

    @Test
    void two_streams_at_once_are_refused() {
        Command reading =
                Command.of(EFFECT, List.of("/bin/cat")).reading(new Input.Bytes(InputStream.nullInputStream()));

        assertThatThrownBy(() -> reading.writing(new Output.Bytes(OutputStream.nullOutputStream())))
                .hasMessageContaining("one of them at most");
    }

    @Test
    void a_program_runs_as_root_by_a_sudo_that_asks_nothing() {
        assertThat(Elevation.by("/usr/bin/sudo").of(List.of("/sbin/zfs", "list")))
                .containsExactly("/usr/bin/sudo", "-n", "--", "/sbin/zfs", "list");
        assertThat(Elevation.NONE.of(List.of("/sbin/zfs"))).containsExactly("/sbin/zfs");
    }

    @Test
    void a_sudo_that_refuses_is_told_from_a_program_that_fails() {
        Elevation sudo = Elevation.by("/usr/bin/sudo");

        assertThat(sudo.refusal(Ended.with(1, "", "sudo: a password is required\n")))
                .hasValueSatisfying(text -> assertThat(text).contains("NOPASSWD"));
        assertThat(sudo.refusal(Ended.with(1, "", "cannot open 'tank': dataset does not exist\n")))
                .isEmpty();
        assertThat(Elevation.NONE.refusal(Ended.with(1, "", "sudo: a password is required\n")))
                .isEmpty();
    }
}
