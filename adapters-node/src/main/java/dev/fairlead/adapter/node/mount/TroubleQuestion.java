package dev.fairlead.adapter.node.mount;

import dev.fairlead.domain.health.MountTrouble;
import dev.fairlead.domain.health.MountTrouble.Kind;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.counts.FilesystemErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks what is wrong with a mounted volume that answers. What cannot be read is told as such, and never taken to be
 * well.
 */
record TroubleQuestion(SpaceQuestion space, ErrorsCall errors) {
    static final TroubleQuestion OF_KERNEL =
            new TroubleQuestion(SpaceQuestion.OF_KERNEL, folder -> FilesystemErrors.OF_KERNEL.of(folder));

    /** Returns the errors that a folder's file system has counted. */
    @FunctionalInterface
    interface ErrorsCall {
        Optional<String> of(Path folder) throws IOException;
    }

    /** Finds one trouble. */
    @FunctionalInterface
    private interface Part {
        Optional<MountTrouble> find() throws IOException;
    }

    /** @param root the directory of its file system that the volume shows */
    List<MountTrouble> ask(Path volume, String root) {
        List<MountTrouble> found = new ArrayList<>();
        add(found, Set.of(Kind.FULL, Kind.WITHOUT_INODES), "how full it is", () -> {
            MountCalls.Space now = space.ask(volume);
            return trouble(Kind.FULL, now.fullness()).or(() -> trouble(Kind.WITHOUT_INODES, now.lackOfInodes()));
        });
        add(
                found,
                Set.of(Kind.SIZE_NOT_HELD),
                "whether its size holds",
                () -> trouble(Kind.SIZE_NOT_HELD, SizeQuestion.ask(volume, root)));
        add(
                found,
                Set.of(Kind.DEVICE_ERRORS),
                "which errors its file system has counted",
                () -> trouble(Kind.DEVICE_ERRORS, errors.of(volume)));
        return found;
    }

    private static void add(List<MountTrouble> found, Set<Kind> kinds, String what, Part part) {
        try {
            part.find().ifPresent(found::add);
        } catch (IOException e) {
            found.add(MountTrouble.untold(kinds, what + " cannot be told: " + e.getMessage()));
        }
    }

    private static Optional<MountTrouble> trouble(Kind kind, Optional<String> detail) {
        return detail.map(it -> new MountTrouble(kind, it));
    }
}
