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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Asks mounts whether they answer, and of one server that is silent no more than a few: each that does not answer keeps
 * a thread in the kernel, which other volumes may need. What hangs stands for the exports beside it, which are of the
 * same pool or owner; only many stand for the whole server.
 */
public final class ServerSilence {
    /** The number of exports that have to hang before others of the same folder of exports are taken to be silent. */
    static final int MOST = 2;

    /** The number of exports of a server that have to hang before all of its others are taken to be silent. */
    static final int MOST_OF_SERVER = 8;

    private final Mounter mounter;
    private final Map<String, Map<String, Share>> silent = new ConcurrentHashMap<>();

    public ServerSilence(Mounter mounter) {
        this.mounter = mounter;
    }

    /**
     * Names a mounted share.
     *
     * @param source its export, which may be mounted at several places
     * @param folder what its export is in on its server; of a whole share of SMB, the share
     */
    private record Share(String source, Path place, String folder) {
        private static final Pattern SHARE_OF_SMB = Pattern.compile("//[^/]+/[^/]+/*");

        private static Share of(MountEntry mount) {
            String source = mount.source();
            String folder = SHARE_OF_SMB.matcher(source).matches() ? source : source.replaceFirst("/[^/]*/*$", "");
            return new Share(source, Path.of(mount.mountPoint()), folder);
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
            silent.computeIfAbsent(server, _ -> new ConcurrentHashMap<>()).putIfAbsent(share.source(), share);
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
        Map<String, Share> known = Map.copyOf(silent.getOrDefault(server, Map.of()));
        Optional<Share> same = Optional.ofNullable(known.get(share.source()));
        if (same.isPresent()) {
            return same.filter(it -> !it.place().equals(share.place()))
                    .map(it -> notAsked("its export does not answer at " + it.place()));
        }
        List<Path> witnesses = known.values().stream()
                .filter(it -> known.size() >= MOST_OF_SERVER || it.folder().equals(share.folder()))
                .map(Share::place)
                .sorted()
                .toList();
        return witnesses.size() < MOST
                ? Optional.empty()
                : Optional.of(notAsked("its server " + server + " does not answer for " + witnesses.size()
                        + " other exports, such as the one at " + witnesses.getFirst()));
    }

    private static Silence notAsked(String why) {
        return new Silence(Kind.SILENT, "it was not asked, since " + why);
    }

    private void forget(String server, Predicate<Share> which) {
        silent.computeIfPresent(server, (_, shares) -> {
            shares.values().removeIf(which);
            return shares.isEmpty() ? null : shares;
        });
    }
}
