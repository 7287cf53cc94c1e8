package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Holds the mounts that outlast their callers, as those of a file system whose log is replayed do. */
final class FakeLastingMounts {
    private final List<MountEntry> begun = new ArrayList<>();
    private boolean lasts;

    boolean lasts() {
        return lasts;
    }

    /** Lets every mount last from now on. */
    void begin() {
        lasts = true;
    }

    void begin(MountEntry wanted) {
        begun.add(wanted);
    }

    /** Returns those that were begun, and lets none last any more. */
    List<MountEntry> end() {
        lasts = false;
        List<MountEntry> ended = List.copyOf(begun);
        begun.clear();
        return ended;
    }

    /** Throws {@code OperationPending} while this source is mounted, or something at this place. */
    void refuse(String place) {
        begun.stream()
                .filter(it -> it.source().equals(place) || it.mountPoint().equals(place))
                .findFirst()
                .ifPresent(it -> {
                    throw new StorageException(
                            new Failure.OperationPending(place, "mounting " + it.source(), Duration.ofMinutes(2), ""));
                });
    }
}
