package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.iscsi.Sysfs.Session;
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
 * Ends sessions that are lost and can never be logged in again, since their target has got other credentials.
 *
 * <p>open-iscsi's {@code iscsid} copies the node record when it logs in ({@code __session_create} in its
 * {@code initiator.c}) and uses that copy for each attempt to come back; a daemon that is started again takes the
 * credentials from the kernel ({@code sync_session} in {@code iscsid.c}). So a record that is changed is of use to the
 * next session only, and a lost one has to be ended. The kernel shows root what a session was made with.
 */
record StaleSessions(IscsiLogins logins, LunDevices devices, LunUse use) {
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
}
