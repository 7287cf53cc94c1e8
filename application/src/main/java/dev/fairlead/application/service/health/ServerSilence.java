package dev.fairlead.application.service.health;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.domain.health.Silence.Kind;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks mounts whether they answer, and of one server that is silent no more than a few: each that does not answer keeps
 * a thread in the kernel, which other volumes may need. Asking one again that still hangs there takes no thread.
 */
public final class ServerSilence {
    /** The number of mounts of a server that have to be silent before its others are taken to be. */
    static final int MOST = 2;

    private final Mounter mounter;
    private final Map<String, Set<Path>> silent = new ConcurrentHashMap<>();

    public ServerSilence(Mounter mounter) {
        this.mounter = mounter;
    }

    /** Returns how a mount does not answer; empty if it does. */
    public Optional<Silence> of(MountEntry mount, Work work) {
        Path place = Path.of(mount.mountPoint());
        return mount.server().map(server -> ofShare(server, place, work)).orElseGet(() -> mounter.silence(place, work));
    }

    private Optional<Silence> ofShare(String server, Path place, Work work) {
        Optional<Silence> witness = witness(server, place, work);
        if (witness.isPresent()) {
            return witness;
        }
        Optional<Silence> silence = mounter.silence(place, work);
        if (isSilent(silence)) {
            silent.computeIfAbsent(server, _ -> ConcurrentHashMap.newKeySet()).add(place);
        } else {
            answered(server, place);
        }
        return silence;
    }

    /** Returns what the silent mounts of a server stand for, if there are enough of them and they still are. */
    private Optional<Silence> witness(String server, Path place, Work work) {
        Set<Path> known = new LinkedHashSet<>(silent.getOrDefault(server, Set.of()));
        if (known.contains(place) || known.size() < MOST) {
            return Optional.empty();
        }
        for (Path other : known) {
            Optional<Silence> silence = mounter.silence(other, work);
            if (!isSilent(silence)) {
                answered(server, other);
                return Optional.empty();
            }
        }
        return Optional.of(new Silence(
                Kind.SILENT,
                "it was not asked, since its server " + server + " does not answer at " + known.size()
                        + " other mounts, such as " + known.iterator().next()));
    }

    private static boolean isSilent(Optional<Silence> silence) {
        return silence.filter(it -> it.kind() == Kind.SILENT).isPresent();
    }

    private void answered(String server, Path place) {
        silent.computeIfPresent(server, (_, places) -> {
            places.remove(place);
            return places.isEmpty() ? null : places;
        });
    }
}
