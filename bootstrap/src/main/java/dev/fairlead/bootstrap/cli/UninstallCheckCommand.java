package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.port.out.cluster.DriverRemains;
import dev.fairlead.application.port.out.cluster.Remains;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Refuses to remove a driver that would leave volumes or snapshots behind; the chart runs it before it is uninstalled.
 */
@Command(
        name = "uninstall-check",
        description =
                "Looks in Kubernetes for volumes and snapshots of these drivers, which nobody could mount or delete"
                        + " without them. Changes nothing.",
        footer = "%nExit code: 0 if nothing is left, 3 if something is, 1 if that cannot be known, 2 for a wrong"
                + " command line.",
        mixinStandardHelpOptions = true)
final class UninstallCheckCommand implements Callable<Integer> {
    private static final int LEFT = 3;
    private static final int UNKNOWN = 1;

    /** The number of volumes and of snapshots that are listed; the others are only counted. */
    private static final int SHOWN = 5;

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
    private static final int LOOKS = 30;

    private final Supplier<DriverRemains> cluster;
    private final Terminal terminal;
    private final Pause pause;

    @Option(names = "--csi-name", paramLabel = "NAME", required = true, description = "A driver's name; repeats.")
    private List<String> names = List.of();

    @Option(names = "--release", paramLabel = "NAME", description = "The Helm release, for the advice.")
    private String release = "RELEASE";

    @Option(names = "--namespace", paramLabel = "NAME", description = "Its namespace, likewise.")
    private String namespace = "NAMESPACE";

    @Option(names = "--revision", paramLabel = "N", description = "Its revision, likewise.")
    private String revision = "REVISION";

    UninstallCheckCommand(Supplier<DriverRemains> cluster, Terminal terminal, Pause pause) {
        this.cluster = cluster;
        this.terminal = terminal;
        this.pause = pause;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            Remains remains = remains();
            terminal.out().print(remains.isEmpty() ? nothing() : refusal(remains));
            return remains.isEmpty() ? 0 : LEFT;
        } catch (StorageException e) {
            terminal.err()
                    .println("fairlead: whether volumes are left cannot be known: "
                            + e.failure().code() + " " + e.failure().message());
            return UNKNOWN;
        }
    }

    /**
     * Returns what remains; waits up to a minute if all of it is being deleted, so that the user need not call again.
     */
    private Remains remains() throws InterruptedException {
        DriverRemains asked = cluster.get();
        Set<String> drivers = new LinkedHashSet<>(names);
        Remains remains = asked.of(drivers);
        for (int look = 1; look < LOOKS && !remains.isEmpty() && remains.isGoing(); look++) {
            pause.of(BETWEEN_LOOKS);
            remains = asked.of(drivers);
        }
        return remains;
    }

    private String nothing() {
        return "No volume and no snapshot of " + String.join(", ", names) + " is left.\n";
    }

    private String refusal(Remains remains) {
        List<String> volumes =
                remains.volumes().stream().map(UninstallCheckCommand::volume).toList();
        List<String> snapshots = remains.snapshots().stream()
                .map(UninstallCheckCommand::snapshot)
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add("NOT UNINSTALLED: of " + String.join(", ", names) + " " + counts(volumes, snapshots)
                + " left, which nobody could mount or delete without the driver:");
        shown(lines, volumes, "kubectl get pv");
        shown(lines, snapshots, "kubectl get volumesnapshotcontent");
        lines.add(
                "Delete the claims and snapshots that are not needed (and the volumes that are kept: kubectl delete pv),"
                        + " and uninstall again.");
        lines.add("To uninstall all the same: helm uninstall " + release + " -n " + namespace + " --no-hooks");
        lines.add("  The data stays where it is; the same names and connections, installed again, serve it as before.");
        lines.add("To keep the release (Helm takes it for half uninstalled): helm rollback " + release + " " + revision
                + " -n " + namespace);
        return String.join("\n", lines) + "\n";
    }

    private static String counts(List<String> volumes, List<String> snapshots) {
        List<String> parts = new ArrayList<>();
        if (!volumes.isEmpty()) {
            parts.add(volumes.size() + (volumes.size() == 1 ? " volume" : " volumes"));
        }
        if (!snapshots.isEmpty()) {
            parts.add(snapshots.size() + (snapshots.size() == 1 ? " snapshot" : " snapshots"));
        }
        boolean one = volumes.size() + snapshots.size() == 1;
        return String.join(" and ", parts) + (one ? " is" : " are");
    }

    private static void shown(List<String> lines, List<String> all, String command) {
        all.stream().limit(SHOWN).forEach(lines::add);
        if (all.size() > SHOWN) {
            lines.add("  and " + (all.size() - SHOWN) + " more (" + command + ")");
        }
    }

    private static String volume(Remains.Volume volume) {
        String phase = volume.phase().isEmpty() ? "" : ", " + volume.phase();
        return "  volume " + volume.name() + phase
                + volume.claim().map(claim -> ", claim " + claim).orElse("");
    }

    private static String snapshot(Remains.Snapshot snapshot) {
        return "  snapshot content " + snapshot.name()
                + snapshot.of().map(of -> ", snapshot " + of).orElse("");
    }
}
