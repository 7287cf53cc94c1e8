package dev.fairlead.adapter.node.mount;

import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.ProjectQuotas;
import dev.fairlead.linux.ProjectQuotas.ProjectMark;
import java.nio.file.Path;
import java.util.Optional;

/** Asks whether the quota that is a volume's size is enforced. */
final class SizeQuestion {
    /** The number from which on volumes of local pools have projects; smaller ones are others' business. */
    private static final long FIRST = 1_000_000_000;

    private SizeQuestion() {}

    /** Returns why the size of a volume does not hold; empty if it does, or is no quota. */
    static Optional<String> ask(Path volume) throws LinuxException {
        ProjectMark mark = ProjectQuotas.of(volume);
        if (!mark.inherited() || mark.number() < FIRST) {
            return Optional.empty();
        }
        return switch (ProjectQuotas.state(volume)) {
            case ON -> Optional.empty();
            case COUNTED -> Optional.of("the project quotas of its file system are counted and not enforced");
            case OFF -> Optional.of("the project quotas of its file system are off");
        };
    }
}
