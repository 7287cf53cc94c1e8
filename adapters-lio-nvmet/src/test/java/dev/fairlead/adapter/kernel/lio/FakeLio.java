package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.host.HostLock;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A storage host with LIO, in a folder: the scripts run in this machine's shell, over a targetcli that changes the
 * folder as the real one changes the kernel.
 */
final class FakeLio implements CommandRunner {
    private final Path root;
    private final List<List<String>> seen = new CopyOnWriteArrayList<>();
    private final Set<Duration> limits = new CopyOnWriteArraySet<>();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    FakeLio(Path root) {
        this.root = root;
        try {
            for (String folder : List.of("bin", "module", "etc", "dev", "run")) {
                Files.createDirectories(root.resolve(folder));
            }
            if (!Files.exists(root.resolve("lio.away"))) {
                Files.createDirectories(root.resolve("lio/core"));
                Files.createDirectories(root.resolve("lio/iscsi"));
            }
            for (String program : List.of("targetcli", "rmdir", "record")) {
                try (InputStream file = FakeLio.class.getResourceAsStream(program)) {
                    Path copy = root.resolve("bin/" + program);
                    Files.write(copy, java.util.Objects.requireNonNull(file).readAllBytes());
                    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LioHost host() {
        return new LioHost(
                new HostLock(root.resolve("run/lock").toString(), Duration.ofSeconds(20)),
                root.resolve("bin") + ":/usr/bin:/bin",
                root.resolve("lio").toString(),
                root.resolve("module").toString(),
                List.of(root.resolve("none").toString(), root.resolve("etc").toString()),
                root.resolve("run/work").toString(),
                root.resolve("targetcli.lock").toString(),
                Duration.ofSeconds(20),
                1);
    }

    Path root() {
        return root;
    }

    /** What was run, word by word. */
    List<List<String>> seen() {
        return List.copyOf(seen);
    }

    /** How long what was run had for it. */
    Set<Duration> limits() {
        return limits;
    }

    /** How many scripts were under way at the same time, each in a session of its own. */
    int mostAtOnce() {
        return mostAtOnce.get();
    }

    /** Runs commands by hand, as an administrator does. */
    void targetcli(String... lines) {
        Ended ended = run(List.of(root.resolve("bin/targetcli").toString()), String.join("\n", lines) + "\n");
        if (!ended.succeeded()) {
            throw new AssertionError(ended.trouble());
        }
    }

    /** It is killed after so many steps from now on; once. */
    void cutAfter(int steps) {
        write("cut", steps + "\n");
    }

    /** Whether a cut still waits for its step, and takes it back. */
    boolean cutIsLeft() {
        try {
            return Files.deleteIfExists(root.resolve("cut"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(String file, String text) {
        try {
            Path path = root.resolve(file);
            Files.createDirectories(java.util.Objects.requireNonNull(path.getParent()));
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String read(String file) {
        try {
            return Files.exists(root.resolve(file)) ? Files.readString(root.resolve(file)) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Moves a folder aside or back; what stands there then without anything in it goes. */
    void move(String from, String to) {
        try {
            try (Stream<Path> all = Files.walk(root.resolve(to))) {
                for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            } catch (java.nio.file.NoSuchFileException _) {
                // nothing stands there
            }
            Files.move(root.resolve(from), root.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void remove(String file) {
        try {
            Files.deleteIfExists(root.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> targets() {
        return names("lio/iscsi");
    }

    List<String> backstores() {
        return names("lio/core").stream()
                .flatMap(hba -> names("lio/core/" + hba).stream())
                .toList();
    }

    /** What lies in a folder, in order. */
    List<String> names(String folder) {
        try (Stream<Path> entries = Files.list(root.resolve(folder))) {
            return entries.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The configuration that the host would have after a restart. */
    String saved() {
        return read("etc/saveconfig.json");
    }

    @Override
    public Ended run(Command command, Work work) {
        List<Ended> answer = new ArrayList<>();
        work.effect(command.effect(), () -> {
            seen.add(command.argv());
            limits.add(command.deadline());
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            answer.add(
                    run(command.argv(), command.input() instanceof Command.Input.Text(var text) ? text.reveal() : ""));
            atOnce.decrementAndGet();
        });
        return answer.getFirst();
    }

    private Ended run(List<String> argv, String input) {
        try {
            Process process = new ProcessBuilder(argv).start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException _) {
                // it ended without reading it
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            return Ended.with(process.waitFor(), output, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {}
}
