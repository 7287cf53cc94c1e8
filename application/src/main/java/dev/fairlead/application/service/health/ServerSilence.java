package dev.fairlead.application.service.health;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.domain.health.Silence.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Asks mounts whether they answer, and of one server that is silent no more than a few: each that does not answer keeps
 * a thread in the kernel, which other volumes may need. What hangs stands for the exports beside it, which are of the
 * same pool or owner; only many stand for the whole server.
 */
public final class ServerSilence {
    /** The number of mounts that have to hang before others of the same folder of exports are taken to be silent. */
    static final int MOST = 2;

    /** The number of mounts of a server that have to hang before all of its others are taken to be silent. */
    static final int MOST_OF_SERVER = 8;

    private final Mounter mounter;
    private final Map<String, Set<Share>> silent = new ConcurrentHashMap<>();

    public ServerSilence(Mounter mounter) {
        this.mounter = mounter;
    }

    /**
     * Names a mounted share.
     *
     * @param folder what its export is in on its server
     */
    private record Share(Path place, String folder) {
        private static Share of(MountEntry mount) {
            return new Share(Path.of(mount.mountPoint()), mount.source().replaceFirst("/[^/]*/*$", ""));
        }
    }

    /** Returns how a mount does not answer; empty if it does. */
    public Optional<Silence> of(MountEntry mount, Work work) {
        Share share = Share.of(mount);
        return mount.server()
                .map(server -> ofShare(server, share, work))
                .orElseGet(() -> mounter.silence(share.place(), work));
    }

    private Optional<Silence> ofShare(String server, Share share, Work work) {
        Optional<Silence> witness = witness(server, share);
        if (witness.isPresent()) {
            return witness;
        }
        Optional<Silence> silence = mounter.silence(share.place(), work);
        if (silence.filter(it -> it.kind() == Kind.SILENT).isPresent()) {
            silent.computeIfAbsent(server, _ -> ConcurrentHashMap.newKeySet()).add(share);
        } else {
            forget(server, share::equals);
        }
        return silence;
    }

    /**
     * Returns whether a mount has been asked in vain already, itself or others in its place. One that is silent and
     * about which this says no may only be slow.
     */
    boolean isHanging(MountEntry mount) {
        Share share = Share.of(mount);
        return mounter.isAskedInVain(share.place())
                || mount.server().flatMap(it -> witness(it, share)).isPresent();
    }

    /** Returns what the mounts of a server that hang stand for, if there are enough of them. */
    private Optional<Silence> witness(String server, Share share) {
        forget(server, it -> !mounter.isAskedInVain(it.place())); // it was answered since, however late
        Set<Share> known = Set.copyOf(silent.getOrDefault(server, Set.of()));
        List<Path> others = known.stream()
                .filter(it -> known.size() >= MOST_OF_SERVER || it.folder().equals(share.folder()))
                .map(Share::place)
                .sorted()
                .toList();
        if (known.contains(share) || others.size() < MOST) {
            return Optional.empty();
        }
        return Optional.of(new Silence(
                Kind.SILENT,
                "it was not asked, since its server " + server + " does not answer at " + others.size()
                        + " other mounts, such as " + others.getFirst()));
    }

    private void forget(String server, Predicate<Share> which) {
        silent.computeIfPresent(server, (_, shares) -> {
            shares.removeIf(which);
            return shares.isEmpty() ? null : shares;
        });
    }
}
