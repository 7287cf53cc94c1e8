package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.linux.ProjectQuotas;
import dev.fairlead.linux.ProjectQuotas.ProjectMark;
import dev.fairlead.linux.ProjectQuotas.ProjectUse;
import dev.fairlead.linux.ProjectQuotas.QuotaState;
import java.io.IOException;
import java.nio.file.Path;

/** Puts folders into projects of their file system, whose quotas keep sizes. */
public interface Projects {
    /** Asks the kernel of this machine. */
    Projects OF_KERNEL = new Projects() {
        @Override
        public String filesystem(Path folder) throws IOException {
            return ProjectQuotas.filesystem(folder);
        }

        @Override
        public QuotaState state(Path folder) throws IOException {
            return ProjectQuotas.state(folder);
        }

        @Override
        public ProjectMark of(Path folder) throws IOException {
            return ProjectQuotas.of(folder);
        }

        @Override
        public void assign(Path folder, long number) throws IOException {
            ProjectQuotas.assign(folder, number);
        }

        @Override
        public ProjectUse use(Path folder, long number) throws IOException {
            return ProjectQuotas.use(folder, number);
        }

        @Override
        public void limit(Path folder, long number, long bytes, long inodes) throws IOException {
            ProjectQuotas.limit(folder, number, bytes, inodes);
        }
    };

    /** Returns the word for the file system of a folder; empty if it is none that can have projects. */
    String filesystem(Path folder) throws IOException;

    /** Returns whether limits hold on the file system of a folder. */
    QuotaState state(Path folder) throws IOException;

    /** Returns the project of a folder. */
    ProjectMark of(Path folder) throws IOException;

    /** Puts a folder, and what is made in it from now on, into a project; with 0 takes it out of its project. */
    void assign(Path folder, long number) throws IOException;

    /** Returns what is counted of a project on the file system of a folder. */
    ProjectUse use(Path folder, long number) throws IOException;

    /** Limits a project on the file system of a folder. */
    void limit(Path folder, long number, long bytes, long inodes) throws IOException;
}
