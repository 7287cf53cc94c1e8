package dev.fairlead.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** strace on a running driver: the system calls that change something, and death before any one of them. */
final class Trace implements AutoCloseable {
    /** Whatever may change a file system or the mount table. Opening counts where it creates. */
    private static final String CALLS = "mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,link,linkat,"
            + "symlink,symlinkat,mknod,mknodat,open,openat,openat2,creat,write,pwrite64,writev,pwritev,sendfile,"
            + "copy_file_range,ftruncate,truncate,fallocate,chmod,fchmod,fchmodat,chown,lchown,fchown,fchownat,"
            + "utimensat,setxattr,lsetxattr,fsetxattr,fsync,fdatasync,sync,syncfs,ioctl,mount,umount2,move_mount,"
            + "mount_setattr,open_tree,fsconfig,fsmount";

    private static final Pattern LINE = Pattern.compile("(\\d+) +([a-z0-9_]+)\\((.*?)\\) += (.*)");
    private static final Pattern UNFINISHED = Pattern.compile("(\\d+) +([a-z0-9_]+)\\((.*) <unfinished \\.\\.\\.>");
    private static final Pattern RESUMED = Pattern.compile("(\\d+) +<\\.\\.\\. ([a-z0-9_]+) resumed>(.*?)\\) += (.*)");

    private final Process strace;
    private final Path log;

    private Trace(Process strace, Path log) {
        this.strace = strace;
        this.log = log;
    }

    /** Watches every change that the process makes from now on. */
    static Trace watch(DriverProcess driver, Path log) throws IOException {
        return attach(driver, log, List.of("-e", "trace=" + CALLS));
    }

    /** Kills the process right before a thread makes this call for the nth time from now on. */
    static Trace killBefore(DriverProcess driver, Path log, Moment moment) throws IOException {
        return attach(
                driver,
                log,
                List.of(
                        "-e",
                        "trace=" + moment.call(),
                        "-e",
                        "inject=" + moment.call() + ":signal=KILL:when=" + moment.nth()));
    }

    private static Trace attach(DriverProcess driver, Path log, List<String> options) throws IOException {
        Files.deleteIfExists(log);
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-y", "-s", "256", "-o", log.toString()));
        command.addAll(options);
        command.addAll(List.of("-p", Long.toString(driver.pid())));
        Process strace = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader said = strace.inputReader();
        String first = said.readLine();
        if (first == null || !first.contains("attached")) {
            throw new IOException("strace did not attach: " + first);
        }
        Thread.ofVirtual().start(() -> said.lines().forEach(_ -> {}));
        return new Trace(strace, log);
    }

    /** A place in a run: before the nth time that some thread makes this call. */
    record Moment(String call, int nth) {}

    /** One completed call; {@code arguments} show descriptors with their paths. */
    record Call(int thread, String name, String arguments, String result) {
        boolean succeeded() {
            return !result.startsWith("-");
        }

        /** Whether it changed anything on disk or in the mount table, below this folder. */
        boolean changes(Path folder) {
            if (!succeeded() || !arguments.contains(folder.toString())) {
                return false;
            }
            return switch (name) {
                case "open", "openat", "openat2" -> arguments.contains("O_CREAT") || arguments.contains("O_TRUNC");
                case "ioctl" -> arguments.contains("FICLONE");
                default -> true;
            };
        }
    }

    /** Ends the watching and answers what was seen, in the order of completion. */
    List<Call> calls() throws IOException {
        close();
        Map<String, String> begun = new HashMap<>();
        List<Call> calls = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            Matcher unfinished = UNFINISHED.matcher(line);
            Matcher resumed = RESUMED.matcher(line);
            Matcher whole = LINE.matcher(line);
            if (unfinished.matches()) {
                begun.put(unfinished.group(1) + unfinished.group(2), unfinished.group(3));
            } else if (resumed.matches()) {
                String start = begun.getOrDefault(resumed.group(1) + resumed.group(2), "");
                calls.add(new Call(
                        Integer.parseInt(resumed.group(1)),
                        resumed.group(2),
                        start + resumed.group(3),
                        resumed.group(4)));
            } else if (whole.matches()) {
                calls.add(new Call(Integer.parseInt(whole.group(1)), whole.group(2), whole.group(3), whole.group(4)));
            }
        }
        return calls;
    }

    @Override
    public void close() {
        strace.destroy();
        try {
            if (!strace.waitFor(10, TimeUnit.SECONDS)) {
                strace.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
