package dev.fairlead.adapter.local.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.adapter.local.host.ToolSettings.ToolSource;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines over a folder that looks like that of processes, and over processes in mounts of their own. */
class HostToolsTest {
    @TempDir
    private Path processes = Path.of("/nonexistent");

    @BeforeEach
    void this_process_is_in_a_container() throws IOException {
        process("1", "init", "mnt:[1]", 1);
        process("self", "java", "mnt:[2]", 50);
    }

    private void process(String id, String name, String mounts, long started) throws IOException {
        Path process = Files.createDirectories(processes.resolve(id));
        Files.writeString(process.resolve("comm"), name + "\n");
        Files.writeString(process.resolve("stat"), "7 (a (b) c) S" + " 0".repeat(18) + " " + started + " 0 0\n");
        Files.createSymbolicLink(Files.createDirectories(process.resolve("ns")).resolve("mnt"), Path.of(mounts));
    }

    private HostTools tools(Map<String, ToolSource> sources) {
        return new HostTools(new ToolSettings(sources), processes, processes.resolve("self"));
    }

    private List<String> entering(String process, String... argv) {
        Path namespaces = processes.resolve(process).resolve("ns");
        List<String> line = new ArrayList<>(
                List.of("nsenter", "--mount=" + namespaces.resolve("mnt"), "--net=" + namespaces.resolve("net"), "--"));
        line.addAll(List.of(argv));
        return line;
    }

    @Test
    void what_speaks_with_the_host_s_daemons_and_modules_is_the_host_s_unless_told_otherwise() {
        HostTools usual = tools(Map.of());

        assertThat(usual.commandLine(List.of("zfs", "get", "$(id)", "-o")))
                .isEqualTo(entering("1", "zfs", "get", "$(id)", "-o"));
        assertThat(usual.commandLine(List.of("/usr/sbin/iscsiadm"))).isEqualTo(entering("1", "/usr/sbin/iscsiadm"));
        assertThat(usual.commandLine(List.of("mount", "-t", "nfs"))).containsExactly("mount", "-t", "nfs");
        assertThat(usual.commandLine(List.of("mount", "-t", "lustre", "--", "a@tcp:/fs")))
                .isEqualTo(entering("1", "mount", "-t", "lustre", "--", "a@tcp:/fs"));
    }

    @Test
    void a_setting_counts_for_its_program_and_others_for_those_that_are_not_named() {
        HostTools told =
                tools(Map.of("zfs", ToolSource.CONTAINER, "others", ToolSource.HOST, "blkid", ToolSource.CONTAINER));

        assertThat(told.commandLine(List.of("zfs", "version"))).containsExactly("zfs", "version");
        assertThat(told.commandLine(List.of("blkid", "/dev/sda"))).containsExactly("blkid", "/dev/sda");
        assertThat(told.commandLine(List.of("mount", "-V"))).isEqualTo(entering("1", "mount", "-V"));
    }

    @Test
    void scripts_are_run_where_the_program_is_for_which_they_are() {
        HostTools scripts = new HostTools(ToolSettings.USUAL.allWhereIs("zfs"), processes, processes.resolve("self"));

        assertThat(scripts.commandLine(List.of("/bin/sh", "-c", "zfs list")))
                .isEqualTo(entering("1", "/bin/sh", "-c", "zfs list"));
    }

    @Test
    void among_the_host_s_mounts_already_nothing_is_entered() throws IOException {
        Files.delete(processes.resolve("self/ns/mnt"));
        Files.createSymbolicLink(processes.resolve("self/ns/mnt"), Path.of("mnt:[1]"));

        assertThat(tools(Map.of()).commandLine(List.of("zfs", "version"))).containsExactly("zfs", "version");
        assertThat(tools(Map.of()).hint(List.of("zfs", "version"))).contains("/host/proc");
    }

    @Test
    void iscsiadm_may_be_that_beside_the_oldest_iscsid() throws IOException {
        HostTools tools = tools(Map.of("iscsiadm", ToolSource.ISCSID));
        process("900", "iscsid", "mnt:[9]", 800);
        process("31", "iscsid", "mnt:[3]", 900);
        process("12", "iscsiuio", "mnt:[4]", 100);

        assertThat(tools.commandLine(List.of("iscsiadm", "-m", "session")))
                .isEqualTo(entering("900", "iscsiadm", "-m", "session"));
    }

    @Test
    void without_an_iscsid_it_is_said_that_one_has_to_run() {
        assertThatThrownBy(() -> tools(Map.of("iscsiadm", ToolSource.ISCSID)).commandLine(List.of("iscsiadm")))
                .isInstanceOfSatisfying(
                        StorageException.class, it -> assertThat(it.failure()).isInstanceOf(Failure.NodeFault.class))
                .hasMessageContaining("no process iscsid");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mount    | moon      | 'moon' is not known",
                "mount    | iscsid    | iscsid is a source of iscsiadm alone",
                "iscsiamd | host      | is no program of a node"
            })
    void what_cannot_be_is_refused_with_what_can(String tool, String source, String why) {
        assertThatThrownBy(() -> ToolSettings.source(tool, source)).hasMessageContaining(why);
    }

    @Test
    void democratic_csi_s_environment_is_understood() {
        ToolSettings talos = ToolSettings.of(Map.of("ISCSIADM_HOST_STRATEGY", "nsenter", "USE_HOST_MOUNT_TOOLS", "1"));

        assertThat(talos.sources()).isEqualTo(Map.of("iscsiadm", ToolSource.ISCSID, "mount", ToolSource.HOST));
        assertThat(talos.with(Map.of("mount", ToolSource.CONTAINER)).sourceOf("mount"))
                .isEqualTo(ToolSource.CONTAINER);
    }

    @Test
    void a_program_really_sees_the_other_process_s_mounts_and_a_missing_one_is_told_with_the_setting()
            throws Exception {
        Path beside = Files.createDirectories(processes.resolve("beside"));
        Path program = Files.createSymbolicLink(processes.resolve("iscsid"), Path.of("/bin/sh"));
        Process daemon = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        program.toString(),
                        "-c",
                        "mount -t tmpfs none " + beside + " && cp /bin/cat " + beside
                                + "/iscsiadm && echo ready && read end")
                .start();
        try (BufferedReader said = daemon.inputReader(StandardCharsets.UTF_8)) {
            assumeTrue("ready".equals(said.readLine()), "needs the right to mount");
            var settings = new ToolSettings(Map.of("iscsiadm", ToolSource.ISCSID));
            try (CommandRunner runner = new LocalCommandRunner(
                    "test", Thread.ofPlatform().daemon().factory(), HostTools.ofThisMachine(settings))) {
                Ended seen = run(runner, beside.resolve("iscsiadm").toString(), "/proc/self/mounts");
                Ended missing = run(runner, "/nonexistent/iscsiadm", "--version");

                assertThat(seen.succeeded()).as(seen.trouble()).isTrue();
                assertThat(seen.output()).contains(beside.toString());
                assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(beside.toString());
                assertThat(missing.exitCode()).isEqualTo(127);
                assertThat(missing.errors()).contains("fairlead.node.tools says: iscsid");
            }
        } finally {
            daemon.destroyForcibly();
            var _ = daemon.waitFor();
        }
    }

    private static Ended run(CommandRunner runner, String... argv) {
        return runner.run(Command.of(new Effect("test", "test"), List.of(argv)), TestWork.patient());
    }
}
