package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.linux.ProjectQuotas.ProjectMark;
import dev.fairlead.linux.ProjectQuotas.ProjectUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Gives each volume and snapshot of a pool a project of its own, and knows which one that is.
 *
 * <p>A number is free if the kernel counts no file of it, and no record of the pool says it. What is in the trash, or
 * anywhere else on the file system, is counted, so no number is given twice while files of it exist. That a folder is
 * the only one of its project is read back, so two processes that choose the same number both choose another one.
 */
final class ProjectNumbers {
    /** The field of a record that says the project. */
    static final String FIELD = "project";

    /**
     * The number that is tried first. Container runtimes and kubelet count from 1 and from 1048577, and administrators
     * choose small ones.
     */
    private static final long FIRST = 1_000_000_000;

    private static final long LAST = 4_000_000_000L;

    /** The times that two processes may choose the same number at the same moment. */
    private static final int ATTEMPTS = 10;

    /** The number of records that are remembered, more than there are volumes in a pool. */
    private static final int MOST_READ = 100_000;

    private final Projects projects;
    private final BaseFolderLayout layout;
    private final Map<Path, Entry<String, OptionalLong>> read = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Entry<Path, Entry<String, OptionalLong>> eldest) {
            return size() > MOST_READ;
        }
    };

    /** The numbers from the next one on that records said when this process first gave one. */
    private final Set<Long> recorded = new HashSet<>();

    private long next = FIRST;
    private boolean begun;

    ProjectNumbers(Projects projects, BaseFolderLayout layout) {
        this.projects = projects;
        this.layout = layout;
    }

    Projects projects() {
        return projects;
    }

    /** Puts an empty folder into a project in which nothing else is. */
    synchronized void give(Path folder) throws IOException {
        begin();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long number = free(folder);
            projects.assign(folder, number);
            ProjectUse use = projects.use(folder, number);
            if (use.inodes() == 1) {
                if (use.limit() != 0 || use.inodeLimit() != 0) {
                    projects.limit(folder, number, 0, 0); // of a volume that is deleted, which may have been larger
                }
                return;
            }
            projects.assign(folder, 0);
            if (use.inodes() == 0) {
                break;
            }
        }
        throw new IOException(folder + " was put into projects in which it is not, or not alone");
    }

    /** Returns the next number that nothing has. */
    private long free(Path folder) throws IOException {
        for (; next <= LAST; next++) {
            if (!recorded.remove(next) && projects.use(folder, next).inodes() == 0) {
                return next++;
            }
        }
        throw new IOException("no number of a project is free from " + FIRST + " to " + LAST);
    }

    /** Reads once which numbers are recorded: volumes that came back from a backup may have lost theirs. */
    private void begin() throws IOException {
        if (!begun) {
            for (RecordedFolders folders : new RecordedFolders[] {layout.volumes(), layout.snapshots()}) {
                for (String id : folders.ids()) {
                    recorded(folders.record(id)).ifPresent(recorded::add);
                }
            }
            begun = true;
        }
    }

    /** Returns the fields of a record that say the project of a folder that is being made. */
    SortedMap<String, String> fields(Path folder) throws IOException {
        return new TreeMap<>(Map.of(FIELD, Long.toString(projects.of(folder).number())));
    }

    /**
     * Returns the project that a volume or snapshot was given, if its folder is in it, as are files that are made
     * there; empty if the folder is in none or in another one. A folder that is not in its place yet has no record.
     */
    OptionalLong own(Path folder) throws IOException {
        ProjectMark mark = projects.of(folder);
        Optional<Path> record = record(folder);
        OptionalLong number = OptionalLong.of(mark.number());
        boolean recorded = record.isEmpty()
                || recorded(record.get()).equals(number)
                || readAnew(record.get()).equals(number);
        return mark.number() != 0 && mark.inherited() && recorded ? number : OptionalLong.empty();
    }

    /** Returns the number that is recorded of a folder; empty if none is. */
    OptionalLong recordedOf(Path folder) throws IOException {
        Optional<Path> record = record(folder);
        return record.isPresent() ? recorded(record.get()) : OptionalLong.empty();
    }

    private Optional<Path> record(Path folder) {
        return Stream.of(layout.volumes(), layout.snapshots())
                .filter(folders -> folders.folder().equals(folder.getParent()))
                .map(folders -> folders.record(String.valueOf(folder.getFileName())))
                .findFirst();
    }

    private synchronized OptionalLong recorded(Path record) throws IOException {
        Optional<String> version = RecordedFolders.stat(record)
                .map(file -> file.fileKey() + " " + file.lastModifiedTime() + " " + file.size());
        if (version.isEmpty()) {
            read.remove(record);
            return OptionalLong.empty();
        }
        Entry<String, OptionalLong> before = read.get(record);
        if (before == null || !before.getKey().equals(version.get())) {
            before = Map.entry(version.get(), number(record));
            read.put(record, before);
        }
        return before.getValue();
    }

    /**
     * Reads a record whatever is remembered of it: one that was removed and made anew within a tick of the clock can
     * look like the former one.
     */
    private synchronized OptionalLong readAnew(Path record) throws IOException {
        read.remove(record);
        return recorded(record);
    }

    private static OptionalLong number(Path record) throws IOException {
        String text = Records.read(record)
                .map(fields -> fields.getOrDefault(FIELD, ""))
                .orElse("");
        return text.matches("[1-9][0-9]{0,9}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    ProjectUse use(Path folder, long number) throws IOException {
        return projects.use(folder, number);
    }
}
