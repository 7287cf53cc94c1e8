package dev.fairlead.adapter.zfs.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Several datasets are asked for at once: those that are missing are told from an answer that is not whole. */
class MissingDatasetsTest {
    private static final DatasetName ONE = new DatasetName("tank/v");
    private static final DatasetName OTHER = new DatasetName("ssd/v");
    private static final String ROW = "tank/v\ttype\tfilesystem\t-\n";
    private static final String POOLS = "ssd\ttype\tfilesystem\t-\ntank\ttype\tfilesystem\t-\n";
    private static final String MISSING = "cannot open 'ssd/v': dataset does not exist\n";

    /** A storage host that answers this, and has both pools. */
    private static ZfsHost answering(int exitCode, String output, String errors) {
        return answering(exitCode, output, errors, _ -> {});
    }

    private static ZfsHost answering(int exitCode, String output, String errors, Consumer<Command> asked) {
        CommandRunner runner = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                asked.accept(command);
                boolean ofPools = !command.argv().getLast().contains("tank/v");
                return ofPools ? Ended.with(0, POOLS, "") : Ended.with(exitCode, output, errors);
            }

            @Override
            public void close() {}
        };
        return new ZfsHost(
                runner,
                new ZfsCommands(List.of("zfs")),
                new ConnectionScope(new ConnectionName("nas"), "zfs-generic-nfs", Optional.empty(), "test"),
                new SeenParents(List.of(), Optional.empty(), Optional.empty()));
    }

    private static Set<String> each(ZfsHost host) {
        return host.each(List.of(ONE, OTHER), List.of("type"), TestWork.patient())
                .keySet();
    }

    private static Set<String> below(ZfsHost host) {
        return host.below(
                        List.of(ONE, OTHER),
                        1,
                        Set.of(DatasetType.FILESYSTEM, DatasetType.VOLUME),
                        List.of("type"),
                        TestWork.patient())
                .keySet();
    }

    @Test
    void the_others_are_read_where_one_is_missing() {
        ZfsHost host = answering(64, ROW, "sudo: unable to resolve host nas\n" + MISSING);

        assertThat(each(host)).containsExactly("tank/v");
        assertThat(below(host)).containsExactly("tank/v");
    }

    /** A connection with very many volumes ended the process, with all others. */
    @Test
    void a_list_takes_a_part_of_the_memory_that_all_connections_share() {
        List<Command> commands = new ArrayList<>();
        ZfsHost host = answering(0, ROW + "ssd/v\ttype\tfilesystem\t-\n", "", commands::add);

        assertThat(below(host)).containsExactly("ssd/v", "tank/v");

        assertThat(commands)
                .isNotEmpty()
                .allSatisfy(command -> assertThat(command.output())
                        .isInstanceOfSatisfying(
                                Command.Output.Text.class,
                                text -> assertThat((long) text.mostBytes())
                                        .isLessThan(Runtime.getRuntime().maxMemory() / 5)));
    }

    @Test
    void none_may_be_there_at_all() {
        ZfsHost host = answering(64, "", MISSING + "cannot open 'tank/v': dataset does not exist\n");

        assertThat(each(host)).isEmpty();
        assertThat(below(host)).isEmpty();
    }

    @Test
    void another_complaint_beside_it_is_a_failure() {
        for (String complaint : List.of(
                "cannot open 'tank/v': pool I/O is currently suspended\n",
                "cannot iterate filesystems: unknown error\n",
                "internal error: out of memory\n",
                "tank/v: permission denied\n")) {
            ZfsHost host = answering(64, ROW, MISSING + complaint);

            assertThat(Failing.works(() -> each(host))).as(complaint).isFalse();
            assertThat(Failing.works(() -> below(host))).as(complaint).isFalse();
        }
    }

    @Test
    void one_that_is_neither_missing_nor_there_makes_the_answer_one_that_cannot_be_trusted() {
        for (ZfsHost host : List.of(answering(0, ROW, ""), answering(0, "", ""), answering(64, "", MISSING))) {
            Failing.with(Failure.Unintelligible.class, () -> each(host));
            Failing.with(Failure.Unintelligible.class, () -> below(host));
        }
    }
}
