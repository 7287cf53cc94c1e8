package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Holds a checked request: every part of it becomes an argument of a program, the name of a folder or a line of a file,
 * and comes from whoever may write PersistentVolumes and secrets.
 *
 * @param initiatorInterface empty for that of open-iscsi's own choice
 * @param settings the values of the node record, by open-iscsi's names
 */
record IscsiRequest(
        String iqn, int lun, List<Portal> portals, String initiatorInterface, Map<String, Secret> settings) {
    private static final int MOST_LUN = 16_383;
    private static final int LONGEST_VALUE = 255;
    private static final int MOST_PORTALS = 16;
    private static final String PREFIX = "node-db.";
    /** Begins the names of the settings by which the node and the target prove who they are. */
    static final String AUTH = "node.session.auth.";

    private static final Pattern IQN =
            Pattern.compile("(?:iqn\\.[0-9]{4}-[0-9]{2}\\.|eui\\.|naa\\.)[A-Za-z0-9][A-Za-z0-9.:_-]{0,210}");
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,63}");
    private static final Pattern SETTING =
            Pattern.compile("node\\.(?:session\\.[A-Za-z0-9_.]+|conn\\[0]\\.(?:timeo|iscsi)\\.[A-Za-z0-9_.]+"
                    + "|conn\\[0]\\.tcp\\.[A-Za-z0-9_.]+|leading_login)");

    /** Checks a request, with the mount options of its volume and of its secret. */
    static IscsiRequest of(Attach<Attachment.Iscsi> request) {
        ShareValues.checkFlags(request);
        return of(request.attachment(), request.secrets());
    }

    static IscsiRequest of(Attachment.Iscsi attachment, Map<String, Secret> secrets) {
        if (!IQN.matcher(attachment.iqn()).matches() || attachment.iqn().contains("..")) {
            throw refused(
                    "iqn",
                    Excerpt.of(attachment.iqn()) + " is no target's name (expected: iqn.YYYY-MM.domain:name, or eui.…"
                            + " or naa.…)");
        }
        if (attachment.lun() > MOST_LUN) {
            throw refused("lun", attachment.lun() + " (expected: 0 to " + MOST_LUN + ")");
        }
        String face = attachment.initiatorInterface().strip();
        if (!face.isEmpty() && !INTERFACE.matcher(face).matches()) {
            throw refused(
                    "interface", Excerpt.of(face) + " is no name of open-iscsi's interfaces (expected: such as eth0)");
        }
        List<Portal> portals = Portal.of(attachment);
        if (portals.size() > MOST_PORTALS) {
            throw refused("portals", "they are " + portals.size() + " (expected: " + MOST_PORTALS + " at most)");
        }
        return new IscsiRequest(
                attachment.iqn(), attachment.lun(), portals, face.equals("default") ? "" : face, settings(secrets));
    }

    IscsiRequest withoutInterface() {
        return new IscsiRequest(iqn, lun, portals, "", settings);
    }

    /** Returns the target in words, as whoever changes what the node has of it locks it. */
    String target() {
        return target(iqn);
    }

    static String target(String iqn) {
        return "target " + iqn;
    }

    String lunInWords() {
        return "LUN " + lun + " of " + iqn;
    }

    /** Returns the call of iscsiadm for the record of a portal. */
    List<String> iscsiadm(Portal portal, String... operation) {
        List<String> argv = new ArrayList<>(List.of("iscsiadm", "-m", "node", "-T", iqn, "-p", portal.toString()));
        if (!initiatorInterface.isEmpty()) {
            argv.addAll(List.of("-I", initiatorInterface));
        }
        argv.addAll(List.of(operation));
        return argv;
    }

    private static Map<String, Secret> settings(Map<String, Secret> secrets) {
        Map<String, Secret> settings = new TreeMap<>();
        secrets.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                setting(key, value).ifPresent(name -> settings.put(name, value));
            }
        });
        complete(settings, "username", "password");
        complete(settings, "username_in", "password_in");
        if (settings.containsKey(AUTH + "username_in") && !settings.containsKey(AUTH + "username")) {
            throw badSecret(
                    AUTH + "username_in",
                    "the target cannot authenticate itself unless the node does, by " + PREFIX + AUTH
                            + "username and …password");
        }
        if (!settings.containsKey(AUTH + "username") && asksForChap(settings)) {
            throw badSecret(AUTH + "username", "is missing; authmethod CHAP needs username and password");
        }
        if (settings.containsKey(AUTH + "username")) {
            settings.putIfAbsent(AUTH + "authmethod", new Secret("CHAP"));
        }
        return Map.copyOf(settings);
    }

    private static boolean asksForChap(Map<String, Secret> settings) {
        return Optional.ofNullable(settings.get(AUTH + "authmethod"))
                .filter(method -> method.reveal().toUpperCase(Locale.ROOT).contains("CHAP"))
                .isPresent();
    }

    /**
     * Returns the name of a setting; empty for {@code node.startup}, which is always manual, and for one without a
     * value, which stays as open-iscsi has it.
     */
    private static Optional<String> setting(String key, Secret value) {
        String name = key.substring(PREFIX.length());
        if (name.equals("node.startup") || value.reveal().isEmpty()) {
            return Optional.empty();
        }
        if (!SETTING.matcher(name).matches()) {
            throw badSecret(
                    Excerpt.of(name),
                    "is no setting that a secret may change (expected: node.session.… or node.conn[0].timeo.…)");
        }
        String text = value.reveal();
        if (text.length() > LONGEST_VALUE) {
            throw badSecret(name, "is longer than " + LONGEST_VALUE + " characters");
        }
        if (!text.equals(text.strip()) || text.chars().anyMatch(Character::isISOControl)) {
            throw badSecret(name, "begins or ends with a blank, or has a line's end or another control character");
        }
        return Optional.of(name);
    }

    private static void complete(Map<String, Secret> settings, String user, String password) {
        if (settings.containsKey(AUTH + user) != settings.containsKey(AUTH + password)) {
            String lacking = settings.containsKey(AUTH + user) ? password : user;
            throw badSecret(AUTH + lacking, "is missing; CHAP needs " + user + " and " + password);
        }
    }

    private static StorageException badSecret(String name, String why) {
        return new StorageException(new Failure.InvalidRequest("secrets." + PREFIX + name, why));
    }

    static StorageException refused(String key, String why) {
        return new StorageException(new Failure.InvalidRequest("volume_context." + key, why));
    }
}
