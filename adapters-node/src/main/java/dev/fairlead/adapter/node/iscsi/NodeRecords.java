package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.adapter.node.file.DurableFile;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps open-iscsi's node records of targets.
 *
 * <p>A record is made by {@code iscsiadm}, which knows its place and its usual values, and then replaced as a whole by
 * one with the wanted values: {@code iscsiadm} takes values only as arguments, which every user of the node can read,
 * and CHAP's passwords are among them. One that was found, such as the administrator's, is used as it is and stays.
 */
record NodeRecords(IscsiTools tools, RecordRoots roots, OwnRecords own) {
    private static final List<String> PLACES = List.of("var/lib/iscsi/nodes", "etc/iscsi/nodes");
    private static final List<String> INTERFACES = List.of("var/lib/iscsi/ifaces", "etc/iscsi/ifaces");
    private static final Set<String> BUILT_IN = Set.of("default", "iser");
    private static final String NODES = "nodes";
    private static final String END = "# END RECORD";

    /** The values of every record; a volume's secret may set others, except the first. */
    private static final Map<String, String> USUAL = Map.of(
            "node.startup", "manual",
            // a portal that does not answer is tried once, and not eight times
            "node.session.initial_login_retry_max", "1",
            "node.conn[0].timeo.login_timeout", "10",
            // only the LUN that is wanted is looked for, so that the others of a shared target do not appear
            "node.session.scan", "manual");

    /** Makes a portal's record if there is none, and sets its values unless it is another's. */
    void prepare(IscsiRequest request, Portal portal, Work work) {
        if (files(request, portal, work).isEmpty()) {
            own.making(request.iqn(), portal, request.initiatorInterface(), work);
            Ended made = tools.run(
                    "iscsi-record", request.iqn() + " " + portal, request.iscsiadm(portal, "-o", "new"), work);
            if (!made.succeeded()) {
                throw KernelThreads.fault(
                        "making a node record of " + portal,
                        made.trouble().replaceAll("\\s+", " ") + IscsiLogins.remedy(List.of(made.exitCode())));
            }
        }
        List<Path> files = files(request, portal, work);
        if (files.isEmpty()) {
            throw KernelThreads.fault(
                    "making a node record of " + portal,
                    "iscsiadm has made one, and there is none below " + PLACES + " of " + roots
                            + "; these folders have to be visible to this process where iscsiadm runs");
        }
        onThread(
                        request.iqn(),
                        work,
                        _ -> files.stream()
                                .filter(it -> isOwn(request.iqn(), portal, it))
                                .toList())
                .forEach(file -> set(file, request.settings(), work));
    }

    /** Returns whether Fairlead made a record. Older versions noted none, and made each scan for one LUN alone. */
    private boolean isOwn(String iqn, Portal portal, Path file) {
        return isMade(iqn, portal, file) || OwnRecords.says(file, "node\\.session\\.scan", "manual");
    }

    private boolean isMade(String iqn, Portal portal, Path file) {
        boolean ofAnyFace = SysfsFiles.name(file.resolveSibling("")).equals(iqn);
        return own.hasMade(iqn, portal, ofAnyFace ? "" : SysfsFiles.name(file));
    }

    private List<Path> files(IscsiRequest request, Portal portal, Work work) {
        return onThread(request.iqn(), work, _ -> files(request.iqn(), portal, request.initiatorInterface()));
    }

    private void set(Path file, Map<String, Secret> settings, Work work) {
        Map<String, String> values = new TreeMap<>(USUAL);
        settings.forEach((name, value) -> values.put(name, value.reveal()));
        KernelThreads.Action<Boolean> replacing = wanted -> {
            String before = Files.readString(file);
            String after = with(values, before);
            Set<?> mode = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
            if (!after.equals(before) || !mode.equals(PosixFilePermissions.fromString("rw-------"))) {
                wanted.effect(new Effect("iscsi-record", file.toString()), () -> replace(file, after));
            }
            return true;
        };
        try {
            var _ = tools.threads().run("writing the node record " + file, List.of(file), work, replacing);
        } catch (IOException e) { // it has a file's name and never its text
            throw DurableFile.fault("writing the node record " + file, file.resolveSibling(""), e);
        }
    }

    /** Reads records on a thread that may be left behind, as the node's disk may hang. */
    private <T> T onThread(String subject, Work work, KernelThreads.Action<T> action) {
        Path path = tools.root().resolve(PLACES.getFirst()).resolve(subject);
        return tools.threads().call("reading the node records of " + subject, path, work, action);
    }

    /** Returns the text of a record with these values; a value that it has already is replaced. */
    static String with(Map<String, String> wanted, String record) {
        StringBuilder text = new StringBuilder();
        Map<String, String> values = new TreeMap<>(wanted);
        if (record.lines().anyMatch(line -> line.matches("node\\.startup\\s*=\\s*onboot\\s*"))) {
            values.remove("node.startup"); // the node itself starts from this target
        }
        for (String line : record.lines().toList()) {
            String name = line.split("[\\s=]", 2)[0];
            if (line.startsWith(END)) {
                values.forEach((key, value) ->
                        text.append(key).append(" = ").append(value).append('\n'));
            }
            if (!values.containsKey(name)) {
                text.append(line).append('\n');
            }
        }
        return text.toString();
    }

    /**
     * Replaces a record by a file that is made outside of the records, which iscsiadm reads whatever they are called.
     */
    private static void replace(Path file, String text) throws IOException {
        Path records = file;
        while (!SysfsFiles.name(records).equals(NODES)) {
            records = Objects.requireNonNull(records.getParent());
        }
        Path fresh = records.resolveSibling(
                ".fairlead-" + UUID.nameUUIDFromBytes(file.toString().getBytes(StandardCharsets.UTF_8)));
        DurableFile.replace(file, fresh, text);
    }

    /**
     * Returns whether somebody else logged in at these portals: their records are not made here, and neither are their
     * sessions. Missing records are nobody's, since they may have been lost with the container that made them.
     */
    boolean areAnothers(String iqn, List<Portal> portals, Work work) {
        return onThread(iqn, work, _ -> {
            boolean found = false;
            for (Portal portal : portals) {
                if (hasOwn(iqn, portal)) {
                    return false;
                }
                found |= !files(iqn, portal, "").isEmpty();
            }
            return found && !own.hasLoggedIn(iqn, portals);
        });
    }

    /** Returns whether a portal has records, and the node logs in by none of them itself. */
    boolean isManual(String iqn, Portal portal, Work work) {
        return onThread(iqn, work, _ -> {
            List<Path> files = files(iqn, portal, "");
            return !files.isEmpty() && files.stream().allMatch(it -> OwnRecords.says(it, "node\\.startup", "manual"));
        });
    }

    private boolean hasOwn(String iqn, Portal portal) throws IOException {
        return files(iqn, portal, "").stream().anyMatch(it -> isOwn(iqn, portal, it));
    }

    /**
     * Returns whether the node was logged in here by a record of another, which may show LUNs that nobody asked for.
     */
    boolean isLoggedInByAnothers(String iqn, List<Portal> portals, Work work) {
        return onThread(iqn, work, _ -> own.hasLoggedIn(iqn, portals));
    }

    /** Returns those of these portals that have records, and none that was made here. */
    List<Portal> found(String iqn, List<Portal> portals, Work work) {
        return onThread(iqn, work, _ -> {
            List<Portal> found = new ArrayList<>();
            for (Portal portal : portals) {
                if (!files(iqn, portal, "").isEmpty() && !hasOwn(iqn, portal)) {
                    found.add(portal);
                }
            }
            return found;
        });
    }

    /** Notes that the node is about to be logged in at a portal, if its record is another's. */
    void loggingIn(String iqn, Portal portal, Work work) {
        found(iqn, List.of(portal), work).forEach(it -> own.loggingIn(iqn, it, work));
    }

    void loggedOut(String iqn, List<Portal> portals, Work work) {
        own.loggedOut(iqn, portals, work);
    }

    /** Returns whether a portal has a record. */
    boolean has(String iqn, Portal portal, Work work) {
        return onThread(iqn, work, _ -> !files(iqn, portal, "").isEmpty());
    }

    /** Returns whether this node has an interface of open-iscsi by this name. */
    boolean hasInterface(String name, Work work) {
        return BUILT_IN.contains(name)
                || onThread(
                        "interface " + name,
                        work,
                        _ -> roots.all().stream()
                                .flatMap(root -> INTERFACES.stream().map(root::resolve))
                                .anyMatch(place -> Files.exists(place.resolve(name))));
    }

    /** Returns the portals of a target of which all records are made here, by this version or an older one. */
    List<Portal> own(String iqn, Work work) {
        return onThread(iqn, work, _ -> those(iqn, named(iqn), this::isOwn));
    }

    /** Returns the portals of a target of which all records are noted to be made here. */
    List<Portal> made(String iqn, Work work) {
        return onThread(iqn, work, _ -> those(iqn, named(iqn), this::isMade));
    }

    private List<Portal> those(String iqn, Collection<Portal> portals, Kind kind) throws IOException {
        List<Portal> those = new ArrayList<>();
        for (Portal portal : portals) {
            if (files(iqn, portal, "").stream().allMatch(it -> kind.holds(iqn, portal, it))) {
                those.add(portal);
            }
        }
        return those;
    }

    /** Tells one kind of record from others. */
    @FunctionalInterface
    private interface Kind {
        boolean holds(String iqn, Portal portal, Path record);
    }

    private Set<Portal> named(String iqn) throws IOException {
        return roots.all().stream()
                .flatMap(
                        root -> PLACES.stream().map(place -> root.resolve(place).resolve(iqn)))
                .flatMap(target -> SysfsFiles.children(target, _ -> true).stream())
                .flatMap(entry -> Portal.ofRecord(SysfsFiles.name(entry)).stream())
                .collect(Collectors.toSet());
    }

    /** Removes a target's records of these portals, except those of others and those that the node itself starts. */
    void remove(String iqn, List<Portal> portals, Work work) {
        removeAll(iqn, onThread(iqn, work, _ -> those(iqn, portals, this::isOwn)), work);
    }

    /** Removes a target's records of these portals, whoever made them, except those that the node itself starts. */
    void removeAll(String iqn, List<Portal> portals, Work work) {
        for (Portal portal : portals) {
            List<Path> files = onThread(iqn, work, _ -> files(iqn, portal, ""));
            boolean manual = onThread(
                    iqn, work, _ -> files.stream().allMatch(it -> OwnRecords.says(it, "node\\.startup", "manual")));
            if (!files.isEmpty() && manual) {
                delete(iqn, portal, work);
            }
            if (manual) {
                own.removed(iqn, portal, work);
            }
        }
    }

    private void delete(String iqn, Portal portal, Work work) {
        Ended ended = tools.run(
                "iscsi-record",
                iqn + " " + portal,
                List.of("iscsiadm", "-m", "node", "-T", iqn, "-p", portal.toString(), "-o", "delete"),
                work);
        if (!ended.succeeded() && ended.exitCode() != IscsiLogins.NOTHING_FOUND) {
            throw KernelThreads.fault(
                    "removing the node record of " + portal,
                    ended.trouble().replaceAll("\\s+", " ") + IscsiLogins.remedy(List.of(ended.exitCode())));
        }
    }

    /** Returns the files of a portal's records, of one interface or of all. */
    private List<Path> files(String iqn, Portal portal, String face) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path root : roots.all()) {
            for (String place : PLACES) {
                files.addAll(files(root.resolve(place).resolve(iqn), portal, face));
            }
        }
        return files;
    }

    private static List<Path> files(Path target, Portal portal, String face) throws IOException {
        if (!Files.isDirectory(target)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(target, 2)) {
            return found.filter(it -> Files.isRegularFile(it, LinkOption.NOFOLLOW_LINKS))
                    .filter(it -> isOf(target.relativize(it).getName(0).toString(), portal))
                    .filter(it -> face.isEmpty() || SysfsFiles.name(it).equals(face))
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of(); // removed by another meanwhile
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isOf(String name, Portal portal) {
        return name.equals(portal.recordName()) || name.startsWith(portal.recordName() + ",");
    }
}
