package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs in to targets and out of them, and believes what sysfs shows of it. */
record IscsiLogins(
        IscsiTools tools, NodeRecords records, SysfsReads reads, PortalProbes probes, ThreadFactory threads) {
    /** iscsiadm's exit codes (open-iscsi, {@code iscsi_err.h}). */
    static final int NOTHING_FOUND = 21;

    static final int SESSION_EXISTS = 15;
    /** Nothing answered, or the connection broke; it may be that of this login alone. */
    private static final Set<Integer> UNREACHED = Set.of(4, 8);

    static final int NO_ANSWER = 8;

    static final int REFUSED_FOR_GOOD = 19;
    static final int REFUSED_CREDENTIALS = 24;
    private static final Set<Integer> DAEMON_MISSING = Set.of(18, 20);
    private static final int NOT_FOUND = 127;
    private static final Logger log = LoggerFactory.getLogger(IscsiLogins.class);

    /**
     * Logs in at every portal that has no session yet, at all of them at once. A portal that does not answer is left
     * out if there is a session at another. One that is known not to answer is tried only if there is none, and at all
     * events gets its node record: the attempts in the background log in by it.
     *
     * @param stale why sessions are lost for good, by their names
     */
    List<Session> logIn(
            IscsiRequest request, String handle, Map<String, String> stale, AttachLocks.Turn turn, Work work) {
        List<Portal> missing = reads.of(request.iqn(), work, sysfs -> missing(sysfs, request));
        for (Portal portal : missing) {
            records.prepare(request, portal, work);
        }
        List<Portal> silent = silent(request, missing, work);
        LoginTroubles troubles = new LoginTroubles();
        List<Portal> hopeful = without(missing, silent);
        if (silent.isEmpty() || isIn(request, work)) {
            tried(request, hopeful, turn, work, troubles);
            silent.forEach(troubles::leftOut);
        } else {
            tried(request, hopeful, silent, turn, work, troubles);
        }
        List<Session> sessions = new ArrayList<>();
        for (Session session : reads.of(request.iqn(), work, sysfs -> sysfs.sessions(request.iqn()))) {
            if (session.isLoggedIn()) {
                sessions.add(session);
            } else {
                troubles.tell(session.name() + " is " + session.state() + ", "
                        + stale.getOrDefault(session.name(), "as its portal does not answer it"));
            }
        }
        if (sessions.isEmpty()) {
            throw troubles.failure(request, handle, records.found(request.iqn(), missing, work));
        }
        if (!troubles.said().isEmpty()) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", handle)
                    .addKeyValue("target", request.iqn())
                    .addKeyValue("portals", troubles.said())
                    .log(
                            "some portals of a target are left out, since they do not let the node in; they are tried again"
                                    + " while the volume is used by a map of multipathd");
        }
        return sessions;
    }

    /**
     * Logs in at portals by the records that they have, with the credentials in them, at all of them at once.
     *
     * @return why some of them do not let the node in
     */
    List<String> logInAgain(IscsiRequest request, List<Portal> portals, AttachLocks.Turn turn, Work work) {
        List<Portal> known = portals.stream()
                .filter(it -> records.has(request.iqn(), it, work))
                .toList();
        LoginTroubles troubles = new LoginTroubles();
        tried(request, known, turn, work, troubles);
        without(portals, known)
                .forEach(it -> troubles.tell(it + ": its node record is gone; staging the volume anew makes it"));
        return troubles.said();
    }

    /** Returns whether a portal without a session, which was known not to answer, does by now. */
    boolean findsAnswering(IscsiRequest request, Work work) {
        List<Portal> missing = reads.of(request.iqn(), work, sysfs -> missing(sysfs, request));
        return !probes.answeringAgain(silent(request, missing, work), work).isEmpty();
    }

    /**
     * Logs in at portals; if they do not let the node in, at those that were silent, too. These are asked meanwhile
     * whether they answer by now, since a login at one that does not would cost a second time-out.
     */
    private void tried(
            IscsiRequest request,
            List<Portal> hopeful,
            List<Portal> silent,
            AttachLocks.Turn turn,
            Work work,
            LoginTroubles troubles) {
        if (hopeful.isEmpty()) {
            tried(request, silent, turn, work, troubles);
            return;
        }
        FutureTask<List<Portal>> asking = new FutureTask<>(() -> probes.answeringAgain(silent, work));
        threads.newThread(asking).start();
        tried(request, hopeful, turn, work, troubles);
        if (isIn(request, work)) {
            silent.forEach(troubles::leftOut);
        } else {
            List<Portal> back = answer(asking, work);
            tried(request, back, turn, work, troubles);
            without(silent, back).forEach(troubles::silent);
        }
    }

    private static List<Portal> answer(FutureTask<List<Portal>> asking, Work work) {
        try {
            return asking.get(); // it has a deadline of its own
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException failed) {
                throw failed;
            }
            throw new IllegalStateException("portals could not be asked", e);
        }
    }

    /**
     * Returns those of these portals that are known not to answer; none for an interface, which may be an adapter with
     * a network of its own.
     */
    private List<Portal> silent(IscsiRequest request, List<Portal> portals, Work work) {
        return request.initiatorInterface().isEmpty()
                ? reads.of(
                        request.iqn(),
                        work,
                        _ -> portals.stream() // a name server may be silent
                                .filter(probes::isKnownSilent)
                                .toList())
                : List.of();
    }

    private static List<Portal> without(List<Portal> portals, List<Portal> others) {
        return portals.stream().filter(it -> !others.contains(it)).toList();
    }

    private boolean isIn(IscsiRequest request, Work work) {
        return reads.of(
                request.iqn(),
                work,
                sysfs -> sysfs.sessions(request.iqn()).stream().anyMatch(Session::isLoggedIn));
    }

    private void tried(
            IscsiRequest request, List<Portal> portals, AttachLocks.Turn turn, Work work, LoginTroubles troubles) {
        Map<Portal, FutureTask<Ended>> tries = new LinkedHashMap<>();
        portals.forEach(it -> records.loggingIn(request.iqn(), it, work));
        for (Portal portal : portals) {
            tries.put(portal, begun(request, portal, turn.part(), work));
        }
        tries.forEach((portal, login) -> troubles.of(portal.toString(), login, work));
        List<Portal> left = reads.of(request.iqn(), work, sysfs -> missing(sysfs, request));
        records.loggedOut(request.iqn(), portals.stream().filter(left::contains).toList(), work);
    }

    /**
     * Returns the portals at which there is no session. One by another interface than the volume names counts, too:
     * democratic-csi uses the usual one, and a second session would show each of its disks twice.
     */
    static List<Portal> missing(Sysfs sysfs, IscsiRequest request) {
        List<Session> sessions = sysfs.sessions(request.iqn());
        return request.portals().stream()
                .filter(portal -> sessions.stream().noneMatch(it -> it.isAt(portal)))
                .toList();
    }

    private FutureTask<Ended> begun(IscsiRequest request, Portal portal, AttachLocks.Turn part, Work work) {
        FutureTask<Ended> login = new FutureTask<>(() -> {
            try (part) {
                Ended ended = tools.run(
                        "iscsi-login", request.iqn() + " " + portal, request.iscsiadm(portal, "--login"), work);
                if (request.initiatorInterface().isEmpty()) {
                    note(portal, ended, work);
                }
                return ended;
            }
        });
        boolean begun = false;
        try {
            threads.newThread(login).start();
            begun = true;
        } finally {
            if (!begun) {
                part.close();
            }
        }
        return login;
    }

    /**
     * Remembers whether anything answers at a portal; a login that ends without an answer may be that of one target.
     */
    private void note(Portal portal, Ended ended, Work work) {
        if (UNREACHED.contains(ended.exitCode())) {
            var _ = probes.silent(List.of(portal), work);
        } else if (ended.succeeded()
                || ended.exitCode() == REFUSED_CREDENTIALS
                || ended.exitCode() == REFUSED_FOR_GOOD) {
            probes.reached(portal);
        }
    }

    /** Returns what helps against an exit code of iscsiadm, to be written behind it; empty if that is not known. */
    static String remedy(List<Integer> codes) {
        if (codes.contains(NOT_FOUND)) {
            return "; install open-iscsi where the node plugin runs";
        }
        return codes.stream().anyMatch(DAEMON_MISSING::contains) ? "; start iscsid on the node" : "";
    }

    /** Ends a session, and sees that it is gone; does nothing if it is. */
    void logOut(Session session, Work work) {
        Ended ended = tools.run(
                "iscsi-logout",
                session.iqn() + " " + session.name(),
                List.of("iscsiadm", "-m", "session", "-r", session.number(), "--logout"),
                work);
        boolean left = reads.of(
                session.iqn(),
                work,
                sysfs -> sysfs.sessions(session.iqn()).stream()
                        .anyMatch(it -> it.name().equals(session.name())));
        if (left) {
            throw KernelThreads.fault(
                    "ending " + session.name() + " of " + session.iqn(),
                    ended.succeeded()
                            ? "iscsiadm says that it has ended, and the kernel has it still"
                            : ended.trouble().replaceAll("\\s+", " ") + remedy(List.of(ended.exitCode())));
        }
        records.loggedOut(session.iqn(), session.portals(), work);
    }
}
