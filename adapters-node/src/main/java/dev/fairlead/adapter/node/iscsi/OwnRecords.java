package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.file.NodeFile;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Remembers which node records of open-iscsi Fairlead made, and at which portals it logged in by records of others, so
 * that what the node's administrator made stays. Both are noted before they are done: a call that is cut in between
 * takes nothing of its own for another's. Records outlive a start of the node, and sessions do not.
 *
 * @param folder on a disk of the node
 * @param boot the kernel's file that has another text after each start of the node
 */
record OwnRecords(Path folder, Path boot) {
    private static final String KIND = "iscsi-note";

    /** Holds one line: what it is about, and the portals after that. */
    private record Note(NodeFile file, String subject) {
        private Set<String> words() {
            String line = file.line();
            return line.startsWith(subject + " ")
                    ? new TreeSet<>(List.of(line.substring(subject.length() + 1).split(" ", -1)))
                    : new TreeSet<>();
        }

        private void write(Set<String> words, Work work) {
            if (words.isEmpty()) {
                file.remove(KIND, work);
            } else if (!words.equals(words())) {
                file.write(KIND, subject + " " + String.join(" ", words), work);
            }
        }
    }

    private Note note(String what, String iqn, String subject) {
        UUID name = UUID.nameUUIDFromBytes(iqn.getBytes(StandardCharsets.UTF_8));
        return new Note(new NodeFile(folder.resolve("iscsi-" + what + "-" + name)), subject);
    }

    private Note records(String iqn) {
        return note("records", iqn, iqn);
    }

    private Note logins(String iqn) {
        return note("logins", iqn, new NodeFile(boot).line() + " " + iqn);
    }

    /** @param face the interface of the record; empty for the usual one */
    private static String word(Portal portal, String face) {
        return face.isEmpty() ? portal.toString() : portal + "/" + face;
    }

    private static boolean isOf(String word, Portal portal) {
        return word.equals(portal.toString()) || word.startsWith(portal + "/");
    }

    /**
     * Returns whether a record was made here.
     *
     * @param face the interface that the record's name tells; empty if it tells none
     */
    boolean hasMade(String iqn, Portal portal, String face) {
        return records(iqn).words().stream()
                .filter(it -> isOf(it, portal))
                .anyMatch(it -> face.isEmpty()
                        || it.equals(word(portal, face))
                        || (face.equals("default") && it.equals(portal.toString())));
    }

    /** Returns whether the record of a portal and this very interface was made here; empty is the usual interface. */
    boolean hasMadeExactly(String iqn, Portal portal, String face) {
        return records(iqn).words().contains(word(portal, face));
    }

    void making(String iqn, Portal portal, String face, Work work) {
        Set<String> words = records(iqn).words();
        words.add(word(portal, face));
        records(iqn).write(words, work);
    }

    /** Forgets the records of a portal, which are gone. */
    void removed(String iqn, Portal portal, Work work) {
        Set<String> words = records(iqn).words();
        if (words.removeIf(it -> isOf(it, portal))) {
            records(iqn).write(words, work);
        }
    }

    /** Returns whether the node was logged in here at one of these portals by another's record, since it started. */
    boolean hasLoggedIn(String iqn, Collection<Portal> portals) {
        Set<String> words = logins(iqn).words();
        return portals.stream().map(Portal::toString).anyMatch(words::contains);
    }

    void loggingIn(String iqn, Portal portal, Work work) {
        Set<String> words = logins(iqn).words();
        words.add(portal.toString());
        logins(iqn).write(words, work);
    }

    /** Forgets logins at portals at which there is no session. */
    void loggedOut(String iqn, Collection<Portal> portals, Work work) {
        Set<String> words = logins(iqn).words();
        if (words.removeAll(portals.stream().map(Portal::toString).toList())) {
            logins(iqn).write(words, work);
        }
    }

    /** Returns whether a record has a value. */
    static boolean says(Path record, String name, String value) {
        try (Stream<String> lines = Files.lines(record)) {
            return lines.anyMatch(line -> line.matches(name + "\\s*=\\s*" + value + "\\s*"));
        } catch (IOException | UncheckedIOException _) {
            return false;
        }
    }
}
