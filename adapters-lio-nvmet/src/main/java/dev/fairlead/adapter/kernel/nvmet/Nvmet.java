package dev.fairlead.adapter.kernel.nvmet;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.kernel.host.TargetTurns;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the NVMe target of a storage host. Each script is told the expected state of the saved configuration: it does
 * everything in one visit, or, if the configuration has changed meanwhile, only prints it. So a single writer needs one
 * visit, and nobody overwrites what another has saved.
 */
final class Nvmet {
    private static final Logger log = LoggerFactory.getLogger(Nvmet.class);

    /**
     * The most visits for one change; more are needed only if that many other writers are quicker one after the other.
     */
    private static final int MOST_VISITS = 12;

    private final ConnectionName connection;
    private final StorageHost host;
    private final NvmeofSettings settings;
    private final NvmetPlaces places;
    private final Elevation root;
    private final TargetTurns turn;
    private volatile SavedView view = SavedView.NOTHING;

    Nvmet(ConnectionName connection, StorageHost host, NvmeofSettings settings, NvmetPlaces places) {
        this.connection = connection;
        this.host = host;
        this.settings = settings;
        this.places = places;
        this.turn = new TargetTurns(connection, "NVMe target");
        this.root = settings.sudo() ? host.sudo() : Elevation.NONE;
    }

    /**
     * Shows a device, now and after a restart. Attributes that the kernel no longer changes on a subsystem that already
     * shows the device stay as they are.
     */
    void export(Subsystem asked, String volume, Work work) {
        turn.run(work, () -> {
            Subsystem wanted = asked;
            Optional<NvmetReport> made = Optional.empty();
            boolean shown = false;
            for (int visits = 0; visits < MOST_VISITS; visits++) {
                refuseForeign(wanted, volume, shown);
                NvmeIdentity identity = identity(wanted, made);
                SavedView next = view.after(saved(wanted, identity, made));
                if (made.isPresent() && next.equals(view)) {
                    return;
                }
                Ended ended = visit("export", wanted, volume, identity, next, work);
                if (seenAnew(ended)) {
                    made = Optional.empty();
                    shown = true;
                    continue;
                }
                NvmetReport report = NvmetReport.read(ended.output());
                wanted = taken(wanted, report);
                Optional<String> difference = report.difference(wanted);
                if (difference.isPresent()) {
                    throw untrue(wanted.nqn() + " was shown by the NVMe target, and it reads back differently: "
                            + difference.get());
                }
                if (report.value("file").equals(next.checksum())) {
                    view = next;
                }
                made = Optional.of(report);
            }
            throw restless();
        });
    }

    private NvmeIdentity identity(Subsystem wanted, Optional<NvmetReport> made) {
        return made.flatMap(NvmetReport::identity)
                .orElseGet(() -> view.config().identity(wanted.nqn(), wanted.identity()));
    }

    private Subsystem taken(Subsystem wanted, NvmetReport report) {
        if (!report.untaken().isEmpty()) {
            log.warn(
                    "connection {}: {} is shown already and does not take {} of subsystem.attributes; it stays as it is"
                            + " until its volume is gone, or the storage host has started anew",
                    connection,
                    wanted.nqn(),
                    report.untaken());
        }
        return wanted.without(report.untaken());
    }

    /**
     * Returns the configuration to save; it stays the same until a port that it lacks has been read, so that the port
     * is saved as it is.
     */
    private SavedConfig saved(Subsystem wanted, NvmeIdentity identity, Optional<NvmetReport> made) {
        Map<String, JsonObject> ports = made.map(NvmetReport::ports).orElse(Map.of());
        boolean known = wanted.ports().stream()
                .allMatch(port -> ports.containsKey(port) || view.config().hasPort(port));
        return known ? view.config().with(wanted, identity, ports) : view.config();
    }

    /**
     * Throws if the subsystem's name shows another device. What an earlier call saw may have been corrected, so it is
     * first forgotten and read again.
     */
    private void refuseForeign(Subsystem wanted, String volume, boolean shown) {
        Optional<String> other = view.config().foreign(wanted.nqn(), wanted.device());
        if (other.isPresent() && shown) {
            throw new StorageException(new Failure.NotOurs(
                    volume,
                    "the NVMe subsystem " + wanted.nqn() + ", which shows " + other.get() + " in "
                            + settings.config()));
        }
        if (other.isPresent()) {
            view = SavedView.NOTHING;
        }
    }

    /** Shuts out all but the hosts of a subsystem, now and after a restart; other attributes are not checked. */
    void revoke(Subsystem closed, String volume, Work work) {
        List<String> hosts = closed.hosts().orElseThrow();
        turn.run(work, () -> {
            for (int visits = 0; visits < MOST_VISITS; visits++) {
                SavedView next = view.after(view.config().closedTo(hosts, closed.nqn(), closed.device()));
                Ended ended = visit("revoke", closed, volume, closed.identity(), next, work);
                if (seenAnew(ended, unread -> shutOut(closed, volume, unread, work))) {
                    continue;
                }
                NvmetReport report = NvmetReport.read(ended.output());
                if (!report.left().isEmpty() || !report.value("file").equals(next.checksum())) {
                    throw untrue("the NVMe target was to let none but " + hosts + " have " + closed.device()
                            + ", and what it says now differs: " + report.left());
                }
                view = next;
                return;
            }
            throw restless();
        });
    }

    /** Stops showing a device, whatever the names of its subsystems, now and after a restart. */
    void unexport(Subsystem unwanted, String volume, Work work) {
        turn.run(work, () -> {
            for (int visits = 0; visits < MOST_VISITS; visits++) {
                SavedView next = view.after(view.config().without(unwanted.nqn(), unwanted.device()));
                Ended ended = visit("unexport", unwanted, volume, unwanted.identity(), next, work);
                if (seenAnew(ended)) {
                    continue;
                }
                NvmetReport report = NvmetReport.read(ended.output());
                if (!report.left().isEmpty() || !report.value("file").equals(next.checksum())) {
                    throw untrue("the NVMe target was to show " + unwanted.device()
                            + " no more, and what it says now differs");
                }
                view = next;
                return;
            }
            throw restless();
        });
    }

    /** Lets connected hosts read the device's new size. */
    void expanded(Subsystem grown, String volume, Work work) {
        visit("expanded", grown, volume, grown.identity(), view, work);
    }

    /** Shuts hosts out of the kernel's target alone, since the saved configuration is not understood. */
    private String shutOut(Subsystem closed, String volume, SavedView unread, Work work) {
        view = unread;
        try {
            var _ = visit("revoke", closed, volume, closed.identity(), unread, work);
        } finally {
            view = SavedView.NOTHING;
        }
        return "the hosts are shut out until the storage host starts anew";
    }

    private boolean seenAnew(Ended ended) {
        return seenAnew(ended, _ -> "nothing was changed");
    }

    /** @param otherwise what is done if the saved configuration is not understood; returns what that was */
    private boolean seenAnew(Ended ended, Function<SavedView, String> otherwise) {
        try {
            Optional<SavedView> shown = SavedView.shown(ended.output());
            shown.ifPresent(now -> view = now);
            return shown.isPresent();
        } catch (IllegalArgumentException e) {
            throw new StorageException(new Failure.BackendRejected(
                    connection.value(),
                    settings.config() + " " + e.getMessage() + "; correct it, or move it away; "
                            + otherwise.apply(SavedView.unread(ended.output()))));
        }
    }

    private Ended visit(
            String verb, Subsystem subject, String volume, NvmeIdentity identity, SavedView next, Work work) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("verb", verb);
        values.put("root", places.configfs());
        values.put("module", places.module());
        values.put("debug", places.debugfs());
        values.put("lock", places.lock().file());
        values.put("patience", Long.toString(places.lock().patience().toSeconds()));
        values.put("config", settings.config());
        values.put("seen", view.checksum());
        values.put("wanted", next.checksum());
        values.put("imported", settings.imported().orElse(""));
        values.put("nqn", subject.nqn());
        values.put("device", subject.device());
        values.put("uuid", identity.uuid());
        values.put("nguid", identity.nguid());
        values.put("serial", identity.serial());
        values.put("ports", String.join(" ", subject.ports()));
        values.put("closed", subject.hosts().isPresent() ? "yes" : "no");
        values.put("hosts", String.join(" ", subject.hosts().orElse(List.of())));
        values.put("others", view.config().hasOthers(subject.nqn()) ? "yes" : "no");
        String content = next.equals(view) ? "" : next.config().text();
        Ended ended = host.runner()
                .run(
                        NvmetScript.command(
                                new Effect("nvmet " + verb, subject.nqn()),
                                root,
                                values,
                                subject.attributes(),
                                content),
                        work);
        if (!ended.succeeded()) {
            throw failure(verb + " of " + subject.device(), volume, ended);
        }
        return ended;
    }

    private StorageException failure(String doing, String volume, Ended ended) {
        Optional<ScriptExit> ending = ended.signal().isPresent() ? Optional.empty() : ScriptExit.of(ended.exitCode());
        List<String> said =
                ended.errors().lines().filter(line -> !line.isBlank()).toList();
        return new StorageException(ending.map(it -> it.failure(
                        connection, volume, said.isEmpty() ? "no reason was given" : String.join("; ", said)))
                .or(() -> root.refusal(ended).map(why -> new Failure.BackendRejected(connection.value(), why)))
                .orElseGet(() -> new Failure.OutcomeUnknown(
                        connection.value(), doing, "its script did not end well: " + ended.trouble())));
    }

    private StorageException restless() {
        return unavailable(
                settings.config() + " was changed by others at each of " + MOST_VISITS + " visits; it is tried again");
    }

    private StorageException unavailable(String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection.value(), detail));
    }

    private StorageException untrue(String detail) {
        return new StorageException(new Failure.Unintelligible(connection.value(), detail));
    }
}
