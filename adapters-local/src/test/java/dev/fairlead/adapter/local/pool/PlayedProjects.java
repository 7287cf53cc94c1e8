package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.pool.kind.Projects;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.ProjectQuotas.ProjectMark;
import dev.fairlead.linux.ProjectQuotas.ProjectUse;
import dev.fairlead.linux.ProjectQuotas.QuotaState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Plays project quotas of an XFS, for kernels that have none: it knows which folders of volumes are in which project,
 * wherever they are moved, and what the limits are. Nothing is counted but these folders and what a test says, and no
 * write is refused.
 */
final class PlayedProjects implements Projects {
    private final Map<String, Long> marks = new ConcurrentHashMap<>();
    private final Map<Long, List<Long>> limits = new ConcurrentHashMap<>();
    private final Map<Long, Long> files = new ConcurrentHashMap<>();
    private final AtomicReference<QuotaState> state = new AtomicReference<>(QuotaState.ON);
    private final AtomicReference<Action> other = new AtomicReference<>(() -> {});
    private final Path root;

    /** @param root the folder below which pools are */
    PlayedProjects(Path root) {
        this.root = root;
    }

    void become(QuotaState next) {
        state.set(next);
    }

    @Override
    public String filesystem(Path folder) {
        return "xfs";
    }

    @Override
    public QuotaState state(Path folder) {
        return state.get();
    }

    @Override
    public ProjectMark of(Path folder) throws IOException {
        long number = marks.getOrDefault(key(folder), 0L);
        return new ProjectMark(number, number != 0);
    }

    private static String key(BasicFileAttributes found) {
        return found.fileKey() + " " + found.creationTime();
    }

    private static String key(Path folder) throws IOException {
        return RecordedFolders.stat(folder)
                .map(PlayedProjects::key)
                .orElseThrow(() -> new LinuxException("openat", Errno.ENOENT));
    }

    /** Has another process do something, once, at the moment after the next number was chosen. */
    void meanwhile(Action action) {
        other.set(action);
    }

    /** Counts so many files in a folder, beside itself. */
    void count(Path folder, long number) throws IOException {
        files.put(of(folder).number(), number);
    }

    /** Something that another process does. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    @Override
    public void assign(Path folder, long number) throws IOException {
        other.getAndSet(() -> {}).run();
        marks.put(key(folder), number);
    }

    @Override
    public ProjectUse use(Path folder, long number) throws IOException {
        List<Long> limit = limits.getOrDefault(number, List.of(0L, 0L));
        key(folder);
        long inodes = files.getOrDefault(number, 0L);
        for (Path found : folders()) {
            inodes += marks.getOrDefault(
                                    RecordedFolders.stat(found)
                                            .map(PlayedProjects::key)
                                            .orElse(""),
                                    0L)
                            == number
                    ? 1
                    : 0;
        }
        return new ProjectUse(0, limit.getFirst(), inodes, limit.getLast());
    }

    /** Returns the folders of volumes and snapshots, whether they are in their place or not. */
    private List<Path> folders() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String pool : List.of("pool", "away")) {
            for (String place : List.of("v", "s", ".fairlead/partial", ".fairlead/trash")) {
                Path folder = root.resolve(pool).resolve(place);
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> entries = Files.list(folder)) {
                        entries.forEach(all::add);
                    }
                }
            }
        }
        return all;
    }

    @Override
    public void limit(Path folder, long number, long bytes, long inodes) throws IOException {
        key(folder);
        limits.put(number, List.of(bytes, inodes));
    }
}
