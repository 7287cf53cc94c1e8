package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.linux.Errno;
import dev.fairlead.adapter.local.linux.FileCalls;
import dev.fairlead.adapter.local.linux.FileStat;
import dev.fairlead.adapter.local.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Measures a folder, links not followed and other mounts not entered. */
final class TreeMeasure implements AutoCloseable {
    private final FileCalls calls = new FileCalls();
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Set<Long> linked = new HashSet<>();
    private final FileStat root;
    private final AtomicReference<TreeSize> size = new AtomicReference<>(TreeSize.NOTHING);

    private TreeMeasure(Path tree) throws IOException {
        int folder = calls.openFolder(tree);
        this.root = calls.stat(folder);
        levels.push(new Level(folder, new ArrayDeque<>()));
    }

    static TreeSize of(Path tree) throws IOException {
        try (TreeMeasure measure = new TreeMeasure(tree)) {
            return measure.run();
        }
    }

    private TreeSize run() throws LinuxException {
        while (!levels.isEmpty()) {
            Level level = levels.element();
            if (level.names.isEmpty()) {
                level.names.addAll(calls.nextNames(level.folder));
            }
            byte[] name = level.names.poll();
            if (name == null) {
                calls.closeFile(levels.pop().folder);
            } else {
                visit(level.folder, name);
            }
        }
        return size.get();
    }

    private void visit(int folder, byte[] name) throws LinuxException {
        try {
            FileStat stat = calls.stat(folder, name);
            if (stat.is(FileStat.Type.SOCKET)) {
                return;
            }
            boolean counts = stat.is(FileStat.Type.FILE) && (stat.links() == 1 || linked.add(stat.inode()));
            size.updateAndGet(sum -> sum.and(counts ? stat.size() : 0));
            if (stat.is(FileStat.Type.FOLDER) && stat.sameMount(root)) {
                levels.push(new Level(calls.openFolder(folder, name), new ArrayDeque<>()));
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e; // what vanished meanwhile does not count
            }
        }
    }

    @Override
    public void close() throws LinuxException {
        try (calls) {
            while (!levels.isEmpty()) {
                calls.closeFile(levels.pop().folder);
            }
        }
    }

    private record Level(int folder, Deque<byte[]> names) {}
}
