package dev.fairlead.lab;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** strace on a running driver: the system calls that change something, and death before any one of them. */
final class Trace implements AutoCloseable {
    /** Whatever may change a file system, a device or the mount table. */
    private static final String CALLS = "mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,link,linkat,"
            + "symlink,symlinkat,mknod,mknodat,open,openat,openat2,creat,write,pwrite64,writev,pwritev,sendfile,"
            + "copy_file_range,ftruncate,truncate,fallocate,chmod,fchmod,fchmodat,chown,lchown,fchown,fchownat,"
            + "utimensat,setxattr,lsetxattr,fsetxattr,removexattr,lremovexattr,fremovexattr,fsync,fdatasync,sync,"
            + "syncfs,ioctl,mount,umount2,move_mount,mount_setattr,open_tree,fsconfig,fsmount,quotactl_fd";

    // Where one thread is watched, strace does not say which.
    private static final Pattern LINE = Pattern.compile("(?:(\\d+) +)?([a-z0-9_]+)\\((.*?)\\) += (.*)");
    private static final Pattern UNFINISHED =
            Pattern.compile("(?:(\\d+) +)?([a-z0-9_]+)\\((.*) <unfinished \\.\\.\\.>");
    private static final Pattern RESUMED =
            Pattern.compile("(?:(\\d+) +)?<\\.\\.\\. ([a-z0-9_]+) resumed>(.*?)\\) += (.*)");

    private final Process strace;
    private final Path log;

    private Trace(Process strace, Path log) {
        this.strace = strace;
        this.log = log;
    }

    /** Watches every change that the process makes from now on. */
    static Trace watch(DriverProcess driver, Path log) throws IOException {
        return attach(log, List.of("-f", "-p", Long.toString(driver.pid())));
    }

    /**
     * Kills the process right before the call of this moment; what it does until then is watched as well.
     *
     * @param attempt how often it was tried: work that another thread took over was counted by two. From the second on
     *     threads count that are not there yet, and with them that of the storage and all programs
     */
    static Trace kill(DriverProcess driver, Path log, Moment moment, int attempt) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "-e",
                "inject=" + moment.call().name() + ":signal=KILL:when=" + Math.max(1, moment.nth() - attempt / 2)));
        options.addAll(
                switch (moment.aim()) {
                    case LANE -> List.of("-p", Integer.toString(driver.thread("lane-")));
                    case LOG -> List.of("-f", "-P", driver.log().toString(), "-p", Long.toString(driver.pid()));
                    case DEVICE -> devices(driver, log);
                    case PATH ->
                        List.of(
                                "-f",
                                "-P",
                                moment.call().nodePath(log.resolveSibling("")).orElseThrow(),
                                "-p",
                                Long.toString(driver.pid()));
                    case OTHERS ->
                        attempt % 2 == 1 ? List.of("-f", "-p", Long.toString(driver.pid())) : threads(driver);
                });
        return attach(log, options);
    }

    private static List<String> threads(DriverProcess driver) throws IOException {
        List<String> options = new ArrayList<>();
        int lane = driver.thread("lane-");
        driver.threads().stream()
                .filter(thread -> thread != lane)
                .forEach(thread -> options.addAll(List.of("-p", Integer.toString(thread))));
        return options;
    }

    /** The loop devices that nobody has yet, and those of files beside the log. */
    private static List<String> devices(DriverProcess driver, Path log) throws IOException {
        List<String> options =
                new ArrayList<>(List.of("-f", "-p", Long.toString(driver.pid()), "-P", "/dev/loop-control"));
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
            for (Path block : all) {
                Path file = block.resolve("loop/backing_file");
                if (!Files.exists(file)
                        || Files.readString(file)
                                .startsWith(log.resolveSibling("").toString())) {
                    options.addAll(List.of("-P", "/dev/" + block.getFileName()));
                }
            }
        }
        return options;
    }

    private static Trace attach(Path log, List<String> options) throws IOException {
        Files.deleteIfExists(log);
        List<String> command =
                new ArrayList<>(List.of("strace", "-y", "-s", "256", "-o", log.toString(), "-e", "trace=" + CALLS));
        command.addAll(options);
        Process strace = new ProcessBuilder(command).redirectErrorStream(true).start();
        long processes = options.stream().filter("-p"::equals).count();
        while (processes > 0) {
            String said = strace.inputReader().readLine();
            if (said == null) {
                throw new IOException("strace did not attach: " + command);
            }
            processes -= said.contains("attach") ? 1 : 0;
        }
        return new Trace(strace, log);
    }

    /** Ends the watching, or awaits its end where the process has died, and answers what was seen, in order. */
    List<Call> calls(boolean died) throws IOException, InterruptedException {
        if (!died || !strace.waitFor(10, TimeUnit.SECONDS)) {
            close();
        }
        return parse(Files.readAllLines(log));
    }

    static List<Call> parse(List<String> lines) {
        Map<Integer, Call> begun = new LinkedHashMap<>();
        List<Call> calls = new ArrayList<>();
        for (String line : lines) {
            Matcher unfinished = UNFINISHED.matcher(line);
            Matcher resumed = RESUMED.matcher(line);
            Matcher whole = LINE.matcher(line);
            if (unfinished.matches()) {
                begun.put(thread(unfinished), call(unfinished, unfinished.group(3), "?"));
            } else if (resumed.matches()) {
                Call start = begun.remove(thread(resumed));
                calls.add(call(resumed, (start == null ? "" : start.arguments()) + resumed.group(3), resumed.group(4)));
            } else if (whole.matches()) {
                calls.add(call(whole, whole.group(3), whole.group(4)));
            }
        }
        calls.addAll(begun.values());
        return calls;
    }

    private static Call call(Matcher line, String arguments, String result) {
        return new Call(thread(line), line.group(2), arguments, result);
    }

    private static int thread(Matcher line) {
        String number = line.group(1);
        return number == null ? 0 : Integer.parseInt(number);
    }

    @Override
    public void close() {
        var _ = strace.toHandle().destroy(); // unlike the process's own, this one leaves its output open
        try {
            if (!strace.waitFor(10, TimeUnit.SECONDS)) {
                var _ = strace.toHandle().destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
