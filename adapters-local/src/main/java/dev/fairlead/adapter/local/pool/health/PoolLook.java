package dev.fairlead.adapter.local.pool.health;

import dev.fairlead.adapter.local.directory.base.BaseFolderGuard;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.FoundKind;
import dev.fairlead.application.port.out.store.PoolStates.PoolFinding;
import dev.fairlead.application.port.out.store.PoolStates.PoolState;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.MountCalls;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at one pool. What cannot be read is told as such: it counts neither as well nor as gone.
 *
 * @param pool its name
 */
public record PoolLook(String pool, BaseFolderGuard base, FoundKind kind, DiskQuestion question, DiskFacts facts) {
    /** Finds out one thing. */
    @FunctionalInterface
    private interface Part {
        Optional<String> find() throws IOException;
    }

    List<PoolFinding> now() {
        try {
            // A look that takes long is not asked by the pool's path: all calls would take its disk for silent.
            return question.ask(folder(), base::isUsed)
                    ? question.ask(folder() + " with its health", this::looked)
                    : List.of(new PoolFinding(PoolState.UNUSED, "nothing was made in it yet"));
        } catch (IOException e) {
            return List.of(new PoolFinding(PoolState.UNKNOWN, untold("whether it is there", e)));
        } catch (StorageException e) {
            PoolState state = e.failure() instanceof Failure.BackendUnavailable ? PoolState.AWAY : PoolState.UNKNOWN;
            return List.of(new PoolFinding(state, e.failure().message()));
        }
    }

    private Path folder() {
        return base.layout().base();
    }

    private List<PoolFinding> looked() throws IOException {
        List<PoolFinding> found = new ArrayList<>();
        add(found, PoolState.READ_ONLY, "whether it can be written to", this::readOnly);
        try {
            MountCalls.Space space = facts.space().of(folder());
            space.fullness().ifPresent(it -> found.add(new PoolFinding(PoolState.FULL, it)));
            space.lackOfInodes().ifPresent(it -> found.add(new PoolFinding(PoolState.INODES_EXHAUSTED, it)));
        } catch (IOException e) {
            Set<PoolState> both = Set.of(PoolState.FULL, PoolState.INODES_EXHAUSTED);
            found.add(new PoolFinding(PoolState.UNKNOWN, untold("how full it is", e), both));
        }
        add(
                found,
                PoolState.DEVICE_ERRORS,
                "which errors its file system has counted",
                () -> facts.errors().of(folder()));
        add(found, PoolState.SIZES_NOT_HELD, "whether its sizes hold", kind::unheld);
        return found;
    }

    private Optional<String> readOnly() throws IOException {
        try {
            folder().getFileSystem().provider().checkAccess(folder(), AccessMode.WRITE);
            return Optional.empty();
        } catch (IOException e) {
            if (DirectoryFailures.errno(e) == Errno.EROFS) {
                return Optional.of(
                        "its file system is mounted read-only, by hand or by the kernel after an error of its"
                                + " disk");
            }
            throw e;
        }
    }

    private static void add(List<PoolFinding> found, PoolState state, String what, Part part) {
        try {
            part.find().ifPresent(detail -> found.add(new PoolFinding(state, detail)));
        } catch (IOException e) {
            found.add(new PoolFinding(PoolState.UNKNOWN, untold(what, e), Set.of(state)));
        }
    }

    private static String untold(String what, IOException why) {
        return what + " cannot be told: " + why.getMessage();
    }
}
