package dev.fairlead.domain.health;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides what is wrong with a volume, and with the storage behind several. */
public final class HealthRules {
    /** The greatest number of volumes that are named in one text. */
    private static final int NAMED = 5;

    private static final String MOUNTED_ANEW =
            "; delete the pods that use the volume on this node, so that it is mounted anew";

    private HealthRules() {}

    public static VolumeHealth of(VolumeFacts facts) {
        List<HealthCondition> found = new ArrayList<>();
        transport(facts.paths()).ifPresent(found::add);
        if (facts.mount().isEmpty()) {
            found.add(new HealthCondition(
                    HealthReason.NOT_MOUNTED, "nothing is mounted at " + facts.place() + MOUNTED_ANEW));
        }
        boolean broken =
                facts.silence().filter(it -> it.kind() == Silence.Kind.BROKEN).isPresent();
        facts.silence()
                .filter(it -> it.kind() != Silence.Kind.BROKEN)
                .map(it -> silent(facts.place(), it))
                .ifPresent(found::add);
        facts.mount()
                .flatMap(it -> changed(
                        it, broken ? facts.silence().map(Silence::detail).orElse("") : ""))
                .ifPresent(found::add);
        found.addAll(TroubleRules.of(facts));
        facts.trouble().ifPresent(why -> found.add(new HealthCondition(HealthReason.LOOK_FAILED, why)));
        return new VolumeHealth(found);
    }

    private static Optional<HealthCondition> transport(List<VolumePath> paths) {
        List<VolumePath> lost = paths.stream().filter(it -> !it.usable()).toList();
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        String named = lost.stream().map(VolumePath::toString).collect(joining(", "));
        return Optional.of(
                lost.size() == paths.size()
                        ? new HealthCondition(
                                HealthReason.TRANSPORT_DEAD,
                                "no way to its storage works: " + named
                                        + "; reads and writes wait or fail until one does. Look at the storage host and"
                                        + " the network to it")
                        : new HealthCondition(
                                HealthReason.PATHS_LOST,
                                lost.size() + " of " + paths.size() + " ways to its storage are lost: " + named
                                        + "; the volume goes on by the others. Look at the network to these"));
    }

    private static HealthCondition silent(String place, Silence silence) {
        return silence.lost()
                ? new HealthCondition(
                        HealthReason.MOUNT_LOST,
                        "what is mounted at " + place + " is lost: " + silence.detail() + MOUNTED_ANEW)
                : new HealthCondition(
                        HealthReason.SERVER_SILENT,
                        "what is mounted at " + place + " does not answer: " + silence.detail()
                                + "; it comes back by itself once its server answers. Look at the server and the network"
                                + " to it");
    }

    /**
     * Returns what the kernel has made of a file system after an error.
     *
     * @param error how the file system refuses to answer; empty if it answers
     */
    private static Optional<HealthCondition> changed(MountFacts mount, String error) {
        String what = "the " + mount.fsType() + " at " + mount.mountPoint();
        String next = "; the kernel's log says why. Once the storage is well," + MOUNTED_ANEW.substring(1);
        if (mount.isShutDown() || !error.isEmpty()) {
            return Optional.of(new HealthCondition(
                    HealthReason.FILESYSTEM_SHUT_DOWN,
                    what + " was shut down by the kernel" + (error.isEmpty() ? "" : ": " + error) + next));
        }
        return mount.isForcedReadOnly()
                ? Optional.of(new HealthCondition(
                        HealthReason.READ_ONLY_REMOUNT,
                        what + " is read-only although it was mounted for writing, as the kernel makes it after an"
                                + " error" + next))
                : Optional.empty();
    }

    /** Says that the usage that is answered was not read just now. */
    public static HealthCondition outdated(long seconds) {
        return new HealthCondition(
                HealthReason.USAGE_OUTDATED,
                "the usage cannot be read now; what is answered was read " + seconds + " s ago");
    }

    /** Returns what is wrong with the storage behind these volumes, each reason once. */
    public static List<HealthCondition> ofStorage(Map<String, VolumeHealth> volumes) {
        Map<HealthReason, List<String>> named = new EnumMap<>(HealthReason.class);
        Map<HealthReason, String> first = new EnumMap<>(HealthReason.class);
        volumes.forEach((name, health) -> health.conditions().stream()
                .filter(it -> it.reason().isOfTransport())
                .forEach(it -> {
                    named.computeIfAbsent(it.reason(), _ -> new ArrayList<>()).add(name);
                    first.putIfAbsent(it.reason(), it.message());
                }));
        List<HealthCondition> conditions = new ArrayList<>();
        named.forEach((reason, names) ->
                conditions.add(new HealthCondition(reason, first.get(reason) + " (" + list(names) + ")")));
        return conditions;
    }

    private static String list(List<String> names) {
        String shown = names.stream().limit(NAMED).collect(joining(", "));
        int more = names.size() - NAMED;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }
}
