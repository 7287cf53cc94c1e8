package dev.fairlead.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a power cut would leave, judged by the order of the system calls of one RPC.
 *
 * <p>Content is synced before it gets its final name, and every name that the answer promises is synced before the
 * answer. What lies under a hidden name (partial, trash, a temporary file) may be lost.
 */
final class SyncOrder {
    private static final Pattern PATH = Pattern.compile("(?:(?:AT_FDCWD|\\d+)<([^>]*)>, )?\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern DESCRIPTOR = Pattern.compile("^\\d+<([^>]*)>");

    private static final String TRASH = "/.fairlead/trash/";

    private final Path folder;
    private final TreeSet<String> content = new TreeSet<>();
    private final Map<String, String> names = new HashMap<>();
    private final TreeSet<String> hidden = new TreeSet<>();
    private final TreeSet<String> discarded = new TreeSet<>();
    private final List<String> violations = new ArrayList<>();

    private SyncOrder(Path folder) {
        this.folder = folder;
    }

    /** Everything that is wrong with this sequence of calls; empty where nothing is. */
    static List<String> violations(List<Call> calls, Path folder) {
        SyncOrder order = new SyncOrder(folder);
        calls.stream()
                .map(call -> named(call, folder))
                .filter(call -> call.changes(folder))
                .forEach(order::replay);
        order.names.forEach((directory, change) -> {
            if (!isHidden(directory)) {
                order.violations.add(directory + " is not synced after " + change);
            }
        });
        order.hidden.forEach(path -> order.violations.add(path + " keeps its hidden name"));
        return order.violations;
    }

    /** The folders of a new base are made through a descriptor of it, so that they are made there or not at all. */
    private static Call named(Call call, Path folder) {
        return call.name().startsWith("mkdir")
                ? new Call(
                        call.thread(),
                        call.name(),
                        call.arguments().replaceAll("/proc/self/fd/\\d+", folder.toString()),
                        call.result())
                : call;
    }

    private void replay(Call call) {
        switch (call.name()) {
            case "open", "openat", "openat2", "creat" -> created(path(call, 0), call.name(), true);
            case "mkdir", "mkdirat" -> created(path(call, 0), "mkdir", false);
            case "symlink", "symlinkat", "mknod", "mknodat" ->
                created(paths(call).getLast(), call.name(), false);
            case "link", "linkat" -> {
                named(path(call, 0), path(call, 1));
                created(path(call, 1), call.name(), false);
            }
            case "write", "pwrite64", "writev", "pwritev", "ftruncate", "copy_file_range", "sendfile", "fallocate" ->
                content.add(descriptor(call));
            case "fsync", "fdatasync" -> {
                content.remove(descriptor(call));
                names.remove(descriptor(call));
            }
            case "sync", "syncfs" -> {
                content.clear();
                names.clear();
            }
            case "rename", "renameat", "renameat2" -> renamed(path(call, 0), path(call, 1));
            case "unlink", "unlinkat", "rmdir" -> removed(path(call, 0), call.name());
            default -> {}
        }
    }

    private void created(String path, String how, boolean file) {
        names.put(parent(path), how + " " + path);
        if (file) {
            content.add(path);
        }
        boolean lasting = path.endsWith("/partial") || path.endsWith("/trash");
        if (!lasting
                && ((isHidden(path) && !isHidden(parent(path))) || parent(path).endsWith("/partial"))) {
            hidden.add(path);
        }
    }

    /** Content that is not synced yet must not get a name that somebody reads. */
    private void named(String from, String to) {
        content.stream()
                .filter(path -> path.equals(from) || path.startsWith(from + "/"))
                .filter(_ -> !isHidden(to))
                .forEach(path -> violations.add(path + " is not synced before it becomes " + to));
    }

    private void renamed(String from, String to) {
        named(from, to);
        content.removeIf(path -> path.equals(from) || path.startsWith(from + "/"));
        names.put(parent(from), "rename from " + from);
        names.put(parent(to), "rename to " + to);
        hidden.remove(from);
        discarded.add(to);
    }

    private void removed(String path, String how) {
        int trash = path.indexOf(TRASH);
        if (trash >= 0) {
            int end = path.indexOf('/', trash + TRASH.length());
            String thrown = end < 0 ? path : path.substring(0, end);
            if (!discarded.contains(thrown)) {
                violations.add(path + " is emptied from the trash, where nothing was put");
            }
        }
        content.remove(path);
        hidden.remove(path);
        names.remove(path);
        names.put(parent(path), how + " " + path);
    }

    private static boolean isHidden(String path) {
        return path.contains("/.fairlead/partial") || path.contains("/.fairlead/trash") || path.endsWith(".tmp");
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(path.lastIndexOf('/'), 1));
    }

    private static String path(Call call, int index) {
        return paths(call).get(index);
    }

    private static List<String> paths(Call call) {
        List<String> found = new ArrayList<>();
        Matcher matcher = PATH.matcher(call.arguments());
        while (matcher.find()) {
            String name = matcher.group(2);
            found.add(name.startsWith("/") ? name : matcher.group(1) + "/" + name);
        }
        return found;
    }

    private static String descriptor(Call call) {
        Matcher matcher = DESCRIPTOR.matcher(call.arguments());
        return matcher.find() ? matcher.group(1) : "";
    }

    @Override
    public String toString() {
        return folder + " " + violations;
    }
}
