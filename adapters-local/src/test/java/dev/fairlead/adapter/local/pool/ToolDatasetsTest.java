package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.dataset.Datasets.DatasetState;
import dev.fairlead.adapter.local.pool.dataset.MissingProgramException;
import dev.fairlead.adapter.local.pool.dataset.ToolDatasets;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of the answers of {@code zfs}, whatever they are. */
class ToolDatasetsTest {
    private static final String LINE = "tank/a\t16777216\t24576\t24576\t900000000\toff\tno\tvolume/pvc-a\n";

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private final List<Command> asked = new ArrayList<>();

    private ToolDatasets answering(int code, String output, String errors) {
        CommandRunner programs = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                asked.add(command);
                return Ended.with(code, output, errors);
            }

            @Override
            public void close() {}
        };
        return new ToolDatasets(programs, (_, what, _, _) -> TestWork.named(what), folder.resolve("mountinfo"));
    }

    @Test
    void a_list_is_read_and_asked_with_a_deadline() throws Exception {
        assertThat(answering(0, LINE + "tank/b\t0\t1\t2\t3\ton\tyes\t-\n", "").at("tank"))
                .containsEntry(
                        "tank/a", new DatasetState(16 << 20, 24_576, 24_576, 900_000_000, true, false, "volume/pvc-a"))
                .containsEntry("tank/b", new DatasetState(0, 1, 2, 3, false, true, "-"));
        assertThat(asked).singleElement().satisfies(command -> {
            assertThat(command.argv()).startsWith("zfs", "list", "-Hp").endsWith("tank");
            assertThat(command.deadline()).isEqualTo(Duration.ofSeconds(30));
        });
    }

    @Test
    void what_does_not_exist_is_absent_and_any_other_failure_is_none() throws Exception {
        assertThat(answering(1, "", "cannot open 'tank/a': dataset does not exist")
                        .find("tank/a"))
                .isEmpty();
        assertThatThrownBy(() -> answering(1, "", "cannot open 'tank/a': permission denied")
                        .find("tank/a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("permission denied");
        assertThatThrownBy(() -> answering(127, "", "no such program").find("tank/a"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void an_answer_of_another_form_is_refused() {
        for (String line : List.of("tank/a\n", LINE.replace("24576", "24K"), LINE.replace("\t", " "))) {
            assertThatThrownBy(() -> answering(0, line, "").at("tank"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected:");
        }
    }

    @Test
    void the_number_of_a_dataset_is_read_whole_or_refused() throws Exception {
        assertThat(answering(0, "18446744073709551615\n", "").guid("tank/a")).contains("18446744073709551615");
        assertThat(asked.getLast().argv()).containsExactly("zfs", "get", "-Hp", "-o", "value", "guid", "tank/a");
        assertThat(answering(1, "", "cannot open 'tank/a': dataset does not exist")
                        .guid("tank/a"))
                .isEmpty();
        for (String answer : List.of("", "-\n", "0\n", "1.2E19\n", "12\n13\n")) {
            assertThatThrownBy(() -> answering(0, answer, "").guid("tank/a"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected:");
        }
    }

    @Test
    void snapshots_of_several_datasets_are_taken_by_one_run() throws Exception {
        List<String> both = List.of("tank/a@x", "tank/b@y");

        answering(0, "", "").snapshot(both);

        assertThat(asked).extracting(Command::argv).containsExactly(List.of("zfs", "snapshot", "tank/a@x", "tank/b@y"));
        assertThatThrownBy(() -> answering(1, "", "cannot open 'tank/b': dataset does not exist")
                        .snapshot(both))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tank/a@x and 1 more");
    }

    @Test
    void a_snapshot_that_is_gone_is_released() throws Exception {
        ToolDatasets gone = answering(1, "", "cannot open 'tank/a@b': dataset does not exist");
        gone.release("tank/a@b");
        assertThat(gone.isReleased("tank/a@b")).isTrue();
        answering(1, "", "could not find any snapshots to destroy; check snapshot names.")
                .release("tank/a@b");

        assertThat(answering(0, "on\n", "").isReleased("tank/a@b")).isTrue();
        assertThat(answering(0, "off\n", "").isReleased("tank/a@b")).isFalse();
        assertThatThrownBy(() -> answering(1, "", "cannot destroy: busy").release("tank/a@b"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void an_absent_program_is_told_from_one_that_could_not_be_started() {
        String absent = "Cannot run program \"zfs\": error=2, No such file or directory";
        for (String errors : List.of(absent, "chroot: failed to run command 'zfs': No such file or directory")) {
            assertThatThrownBy(() -> answering(127, "", errors).find("tank/a"))
                    .isInstanceOf(MissingProgramException.class);
        }
        for (String errors : List.of(absent.replace("=2", "=11"), absent.replace("=2", "=24"))) {
            assertThatThrownBy(() -> answering(127, "", errors).find("tank/a"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(MissingProgramException.class);
        }
    }

    private static String device(Path path) throws IOException {
        long device = ((Number) Files.getAttribute(path, "unix:dev")).longValue();
        return (device >>> 8 & 0xfff) + ":" + ((device & 0xff) | (device >>> 12 & ~0xffL));
    }

    @ParameterizedTest
    @CsvSource({
        "zfs tank/pool rw,        tank/pool",
        "zfs tank/my\\040pool rw, tank/my pool",
        "zfs tank/pool@daily rw,  ''",
        "ext4 /dev/sdb rw,        ''",
        "btrfs tank/pool rw,      ''"
    })
    void a_folder_is_on_what_is_mounted_last_where_it_lies(String mounted, String expected) throws Exception {
        Files.writeString(folder.resolve("mountinfo"), """
                21 1 0:1 / / rw - zfs rpool/ROOT rw
                30 21 0:1 /pool %1$s rw - zfs rpool/ROOT rw
                31 30 %2$s / %1$s rw shared:7 - %3$s
                32 30 %2$s / /var/lib/other rw - %3$s
                33 21 0:2 / /elsewhere rw - zfs tank/other rw
                """.formatted(folder, device(folder), mounted));

        assertThat(answering(0, "", "").of(folder).orElse("")).isEqualTo(expected);
    }

    @Test
    void nothing_below_a_dataset_is_destroyed_with_it() throws Exception {
        ToolDatasets datasets = answering(0, "", "");
        datasets.releaseAll("tank/a");
        datasets.destroy("tank/a");
        assertThat(asked)
                .extracting(Command::argv)
                .containsExactly(List.of("zfs", "destroy", "-d", "tank/a@%"), List.of("zfs", "destroy", "tank/a"));
    }

    @Test
    void a_dataset_is_made_with_its_owner() throws Exception {
        ToolDatasets datasets = answering(0, "", "");
        datasets.create("tank/a", "making volume/pvc-a");
        datasets.clone("tank/a@b", "tank/b", "making volume/pvc-b");
        datasets.own("tank/a", "volume/pvc-a");
        assertThat(asked)
                .extracting(command -> String.join(" ", command.argv()))
                .containsExactly(
                        "zfs create -o mountpoint=legacy -o dev.fairlead:owner=making volume/pvc-a tank/a",
                        "zfs clone -o mountpoint=legacy -o dev.fairlead:owner=making volume/pvc-b tank/a@b tank/b",
                        "zfs set dev.fairlead:owner=volume/pvc-a tank/a");
    }

    @Test
    void the_clone_is_that_of_the_newest_snapshot_that_has_one() throws Exception {
        assertThat(answering(0, "-\n\ntank/c,tank/d\ntank/e\n", "").clone("tank/a"))
                .contains("tank/c");
        assertThat(answering(0, "-\n", "").clone("tank/a")).isEmpty();
    }
}
