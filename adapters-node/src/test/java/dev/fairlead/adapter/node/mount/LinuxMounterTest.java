package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.testkit.contract.node.MounterContract;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LinuxMounterTest implements MounterContract {
    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @Override
    public Mounter mounter() {
        return MountSandbox.mounter();
    }

    @Override
    public Path folder() {
        return sandbox.path("");
    }

    @Override
    public void link(Path link, Path target) {
        unchecked(() -> Files.createSymbolicLink(link, target));
    }

    @Override
    public void file(Path file) {
        unchecked(() -> Files.writeString(file, "data"));
    }

    @Override
    public void mountOver(Path source, Path target) {
        unchecked(() -> sandbox.mountOver(source, target));
    }

    @Test
    void how_a_file_system_was_mounted_is_known_until_it_is_unmounted() throws IOException {
        Path target = sandbox.directory("target");
        Filesystem wanted = Filesystem.of("tmpfs", "tmpfs", List.of("size=64k", "noexec"));
        LinuxMounter mounter = mounterOf(LinuxMounterTest::run);

        mounter.mount(wanted, target, work);
        mounter.mount(Filesystem.of("tmpfs", "tmpfs", List.of()), target, work);

        assertThat(mounter.mounted(target, work)).contains(wanted);
        assertThat(mounterOf(LinuxMounterTest::run).mounted(target, work)).isEmpty();
        mounter.unmountLazily(target, work);
        assertThat(mounter.mounted(target, work)).contains(wanted);
        mounter.unmount(target, work);
        assertThat(mounter.mounted(target, work)).isEmpty();
    }

    @Test
    void how_a_file_system_was_mounted_that_somebody_else_unmounted_is_not_known() throws IOException {
        Path target = sandbox.directory("target");
        LinuxMounter mounter = mounterOf(LinuxMounterTest::run);
        mounter.mount(Filesystem.of("tmpfs", "tmpfs", List.of("size=64k")), target, work);

        mounterOf(LinuxMounterTest::run).unmount(target, work);

        assertThat(mounter.mounted(target, work)).isEmpty();
        mounter.unmountLazily(target, work);
        assertThat(mounter.mounted(target, work)).isEmpty();
    }

    @Test
    void how_a_file_system_with_a_secret_was_mounted_is_not_kept() throws IOException {
        Path target = sandbox.directory("target");
        Filesystem wanted = new Filesystem("tmpfs", "tmpfs", List.of("size=64k"), Optional.of(new Secret("hunter2")));
        LinuxMounter mounter = mounterOf(LinuxMounterTest::run);

        mounter.mount(wanted, target, work);

        assertThat(mounter.at(target, work)).isPresent();
        assertThat(mounter.mounted(target, work)).isEmpty();
        mounter.unmount(target, work);
    }

    private static LinuxMounter mounterOf(Function<Command, Integer> program) {
        CommandRunner programs = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                return Ended.with(program.apply(command), "", "");
            }

            @Override
            public void close() {}
        };
        return new LinuxMounter(
                MountSandbox.threads(), new MountView(true), Binding.ofThisKernel(), programs, Duration.ofSeconds(10));
    }

    private static int run(Command command) {
        try {
            return new ProcessBuilder(command.argv()).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unchecked(Callable<Path> action) {
        try {
            action.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
