package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs scripts by a real shell of this machine, over a {@code zfs} whose pool is a folder. */
final class ShellHost implements CommandRunner {
    private final Path folder;

    ShellHost(Path folder) {
        this.folder = folder;
        try (InputStream program = Objects.requireNonNull(ShellHost.class.getResourceAsStream("zfs.sh"))) {
            Files.write(zfs(), program.readAllBytes());
            Files.setPosixFilePermissions(zfs(), PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.createDirectories(folder.resolve("pool/tank:v"));
            Files.createDirectories(folder.resolve("pool/tank"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path zfs() {
        return folder.resolve("zfs");
    }

    /** Returns whether the pool has this dataset. */
    boolean has(String dataset) {
        return Files.isDirectory(folder.resolve("pool").resolve(dataset.replace('/', ':')));
    }

    @Override
    public Ended run(Command command, Work work) {
        List<Ended> ended = new ArrayList<>();
        work.effect(command.effect(), () -> ended.add(shell(command.argv())));
        return ended.getFirst();
    }

    private static Ended shell(List<String> argv) {
        try {
            Path errors = Files.createTempFile("errors", "");
            Process process =
                    new ProcessBuilder(argv).redirectError(errors.toFile()).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            String complaint = Files.readString(errors);
            Files.delete(errors);
            return Ended.with(code, output, complaint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {}
}
