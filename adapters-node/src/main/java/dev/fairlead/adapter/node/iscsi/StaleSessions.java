package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.iscsi.Sysfs.Disk;
import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions that are lost and can never be logged in again, since their target has got other credentials, and those
 * that were logged in here for no volume that is known. What is left over is the name of a target.
 *
 * <p>open-iscsi's {@code iscsid} copies the node record when it logs in ({@code __session_create} in its
 * {@code initiator.c}) and uses that copy for each attempt to come back; a daemon that is started again takes the
 * credentials from the kernel ({@code sync_session} in {@code iscsid.c}). So a record that is changed is of use to the
 * next session only, and a lost one has to be ended. The kernel shows root what a session was made with.
 */
record StaleSessions(IscsiLogins logins, LunDevices devices, LunUse use, AttachLocks locks) implements OwnSessions {
    /** The words that the kernel writes for a value that a session has not. */
    private static final Set<String> NONE = Set.of("(null)", "<NULL>");

    private static final List<String> CREDENTIALS = List.of("username", "password", "username_in", "password_in");
    private static final Logger log = LoggerFactory.getLogger(StaleSessions.class);

    /**
     * Ends those sessions of a target that are lost, have other credentials than the request, and are of use to nobody.
     * The record of one that has to stay gets the request's credentials, for the session that comes after it.
     *
     * @return why sessions stay, by their names
     */
    Map<String, String> end(IscsiRequest wanted, Work work) {
        if (!wanted.settings().containsKey(IscsiRequest.AUTH + "username")) {
            return Map.of(); // what it was made with may be iscsid's own setting, which is nobody's to judge here
        }
        List<Session> stale = devices.reads()
                .of(
                        wanted.iqn(),
                        work,
                        sysfs -> sysfs.sessions(wanted.iqn()).stream()
                                .filter(it -> !it.isLoggedIn() && differs(sysfs, it, wanted))
                                .toList());
        Map<String, String> kept = new HashMap<>();
        for (Session session : stale) {
            try {
                endIfUnused(session, wanted, work).ifPresent(why -> kept.put(session.name(), why));
            } catch (StorageException e) { // another portal's session may do
                work.checkCancelled();
                kept.put(
                        session.name(),
                        "was made with other CHAP credentials than the stage secret has, and could not be ended: "
                                + e.failure().message());
            }
        }
        return kept;
    }

    /** Returns why it stays, if it does. */
    private Optional<String> endIfUnused(Session session, IscsiRequest wanted, Work work) {
        Optional<String> user = use.user(session, wanted, work);
        if (user.isPresent()) {
            renew(session, wanted, work);
        } else {
            end(session, wanted, work);
        }
        return user.map(it -> remedy(session, it));
    }

    /** Returns whether one differs that the request names; others may be iscsid's own setting. */
    private static boolean differs(Sysfs sysfs, Session session, IscsiRequest wanted) {
        return CREDENTIALS.stream()
                .filter(it -> wanted.settings().containsKey(IscsiRequest.AUTH + it))
                .anyMatch(name -> {
                    Optional<String> made = sysfs.fact(session, name);
                    String asked = Optional.ofNullable(wanted.settings().get(IscsiRequest.AUTH + name))
                            .map(it -> it.reveal())
                            .orElse("");
                    return made.isPresent() // a kernel that does not tell proves nothing
                            && !(NONE.contains(made.get()) ? "" : made.get()).equals(asked);
                });
    }

    private static String remedy(Session session, String user) {
        return "was made with other CHAP credentials than the stage secret has, and is used by " + user
                + "; open-iscsi keeps a session's credentials until it ends. Stop the pods of this target's volumes on"
                + " this node, or end it with iscsiadm -m session -r " + session.number()
                + " --logout once nothing uses it; the node record has the new ones";
    }

    private void renew(Session session, IscsiRequest wanted, Work work) {
        if (!LunDisks.isAnothers(session, logins.records(), work)) {
            List<Portal> portals = devices.reads()
                    .of(
                            wanted.iqn(),
                            work,
                            _ -> wanted.portals().stream() // a name server may be silent
                                    .filter(session::isAt)
                                    .toList());
            portals.forEach(it -> logins.records().prepare(wanted, it, work));
        }
    }

    private void end(Session session, IscsiRequest wanted, Work work) {
        log.atInfo()
                .addKeyValue("request", work.requestId())
                .addKeyValue("target", wanted.iqn())
                .addKeyValue("session", session.name())
                .addKeyValue("state", session.state())
                .log("a lost session has other CHAP credentials than the stage secret, and nothing uses it; it is ended"
                        + " and logged in anew");
        devices.delete(
                wanted.iqn(), devices.reads().of(wanted.iqn(), work, sysfs -> sysfs.disks(session)), List.of(), work);
        logins.logOut(session, work);
        // made anew by the login that follows, without what the former secret had besides
        logins.records().remove(wanted.iqn(), session.portals(), work);
    }

    @Override
    public List<String> leftOver(Work work) {
        List<String> own = devices.reads()
                .of(
                        "all targets",
                        work,
                        sysfs -> sysfs.targets().stream()
                                .filter(iqn -> !use.retry().hasVolume(iqn))
                                .filter(iqn -> !own(sysfs, iqn).isEmpty())
                                .toList());
        return own.stream().filter(iqn -> !use.isMounted(iqn, work)).toList();
    }

    /** Returns the sessions of a target that were certainly logged in here. */
    private List<Session> own(Sysfs sysfs, String iqn) {
        OwnRecords notes = logins.records().own();
        return sysfs.sessions(iqn).stream()
                .filter(session -> notes.hasLoggedIn(iqn, session.portals())
                        || session.portals().stream().anyMatch(it -> notes.hasMade(iqn, it, "")))
                .toList();
    }

    @Override
    public Optional<String> endUnlessUsed(String iqn, Work work) {
        try (AttachLocks.Turn _ = locks.hold(IscsiRequest.target(iqn), work)) {
            if (use.retry().hasVolume(iqn)) {
                return Optional.empty();
            }
            List<Session> own = devices.reads().of(iqn, work, sysfs -> own(sysfs, iqn));
            Optional<String> user = own.stream()
                    .flatMap(session -> use.user(session, work).stream())
                    .findFirst();
            if (user.isEmpty()) {
                own.forEach(session -> end(session, own, work));
            }
            return user;
        }
    }

    private void end(Session session, List<Session> own, Work work) {
        String iqn = session.iqn();
        List<Disk> disks = devices.reads().of(iqn, work, sysfs -> sysfs.disks(session));
        List<Disk> staying = devices.reads()
                .of(
                        iqn,
                        work,
                        sysfs -> sysfs.sessions(iqn).stream()
                                .filter(it -> !own.contains(it))
                                .flatMap(it -> sysfs.disks(it).stream())
                                .filter(it -> disks.stream().anyMatch(disk -> disk.lun() == it.lun()))
                                .toList());
        devices.delete(iqn, disks, staying, work);
        logins.logOut(session, work);
        logins.records().remove(iqn, session.portals(), work);
    }
}
