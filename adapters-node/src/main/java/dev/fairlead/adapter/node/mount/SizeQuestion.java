package dev.fairlead.adapter.node.mount;

import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.BtrfsQuotas;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.ProjectQuotas;
import dev.fairlead.linux.ProjectQuotas.ProjectMark;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Asks whether the quota that is a volume's size is enforced. */
final class SizeQuestion {
    /** The number from which on volumes of local pools have projects; smaller ones are others' business. */
    private static final long FIRST = 1_000_000_000;

    private static final String REMEDY = "; mount its disk with prjquota again, after which it holds as before";

    private SizeQuestion() {}

    /** The directory of a volume of a pool, as its file system has it. */
    private static final Pattern OF_POOL = Pattern.compile("/(.*/)?v/[A-Za-z0-9][A-Za-z0-9_-]*");

    /**
     * Returns why the size of a volume does not hold; empty if it does, or is no quota.
     *
     * @param root the directory of its file system that the volume shows
     */
    static Optional<String> ask(Path volume, String root) throws LinuxException {
        return OF_POOL.matcher(root).matches() && BtrfsCalls.isBtrfs(volume) ? ofSubvolume(volume) : ofProject(volume);
    }

    /** Asks a subvolume: only volumes of pools by quotas are such; other volumes are plain folders. */
    private static Optional<String> ofSubvolume(Path volume) throws LinuxException {
        if (BtrfsCalls.subvolume(volume).isEmpty()
                || BtrfsQuotas.counted(volume)
                        .filter(it -> it.limit().isPresent())
                        .isPresent()) {
            return Optional.empty();
        }
        return Optional.of("its subvolume has no limit, since the quotas of its file system are off or were; enable"
                + " them with btrfs quota enable, after which the pool sets its limit again");
    }

    private static Optional<String> ofProject(Path volume) throws LinuxException {
        ProjectMark mark = ProjectQuotas.of(volume);
        if (!mark.inherited() || mark.number() < FIRST) {
            return Optional.empty();
        }
        return switch (ProjectQuotas.state(volume)) {
            case ON -> Optional.empty();
            case COUNTED -> Optional.of("the project quotas of its file system are counted and not enforced" + REMEDY);
            case OFF -> Optional.of("the project quotas of its file system are off" + REMEDY);
        };
    }
}
