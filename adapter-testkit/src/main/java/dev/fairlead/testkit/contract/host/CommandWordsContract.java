package dev.fairlead.testkit.contract.host;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Words reach a program as they are, and each program is one effect. */
public interface CommandWordsContract extends CommandRunnerSubject {
    List<String> TROUBLE = List.of(
            "", " ", "'", "''", "\"", "$(id)", "`id`", "$HOME", "a;b", "a\nb", "\n", "a\\", "*", "~", "#", "!", "{a,b}",
            "a=b", "-n", "&&", "|", "<", "\t\r", "'\\''");

    @Test
    default void words_reach_a_program_as_they_are() {
        List<String> argv = new ArrayList<>(List.of("/usr/bin/printf", "%s\\0"));
        argv.addAll(TROUBLE);

        Ended ended = run(Command.of(new Effect("print", "words"), argv));

        assertThat(ended.output()).isEqualTo(String.join("\0", TROUBLE) + "\0");
        assertThat(ended.succeeded()).isTrue();
    }

    @Test
    default void what_a_program_says_and_how_it_ends_is_told_apart() {
        Ended ended = run(shell("echo out; echo err >&2; exit 3"));

        assertThat(ended).isEqualTo(Ended.with(3, "out\n", "err\n"));
        assertThat(ended.succeeded()).isFalse();
    }

    @Test
    default void a_program_that_is_not_there_ends_as_the_shell_says_it() {
        Ended ended = run(command("/nowhere/to/be/found", "x"));

        assertThat(ended.exitCode()).isEqualTo(127);
        assertThat(ended.errors()).isNotBlank();
    }

    @Test
    default void a_program_that_was_killed_has_not_succeeded() {
        Ended ended = run(shell("kill -KILL $$"));

        assertThat(ended.succeeded()).isFalse();
        assertThat(ended.trouble()).isNotBlank();
    }

    @Test
    default void each_program_is_one_effect() {
        TestWork work = TestWork.patient();

        runner().run(Command.of(new Effect("list", "pool"), List.of("/bin/true")), work);

        assertThat(work.effects()).containsExactly(new Effect("list", "pool"));
    }

    @Test
    default void many_run_at_once_and_each_gets_its_own_answer() {
        List<Runnable> actions = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String word = "word-" + i;
            actions.add(() ->
                    assertThat(run(shell("sleep 0.02; echo " + word)).output()).isEqualTo(word + "\n"));
        }

        Concurrently.run(actions);
    }
}
