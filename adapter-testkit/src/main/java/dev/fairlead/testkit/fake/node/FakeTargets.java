package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment.Iscsi;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Targets in memory, and this node's sessions with them: each has one device, which is there while the session is. A
 * logout under a mount is an error of the test's subject.
 */
public final class FakeTargets implements Attacher<Iscsi> {
    private static final Pattern PARTITION = Pattern.compile("-part[0-9]+$");
    private static final String IQN = "iqn.2026-01.org.example:";

    private final FakeMounts mounts;
    private final Set<String> sessions = new TreeSet<>();
    private volatile boolean growsMounted = true;
    private volatile boolean shared = true;
    private volatile Map<String, String> facts = Map.of("session", "1");
    private final Map<String, String> states = new HashMap<>();
    private final List<String> restored = new ArrayList<>();
    private final Set<String> ofOthers = new TreeSet<>();
    private final Set<String> leftBehind = new TreeSet<>();
    private volatile boolean held;
    private int asked;
    private final Set<String> removed = new TreeSet<>();

    public FakeTargets(FakeMounts mounts) {
        this.mounts = mounts;
    }

    /** Returns the attachment of a target of this name. */
    public static Iscsi target(String name) {
        return new Iscsi("10.0.0.1:3260", List.of(), "", IQN + name, 0);
    }

    /** Returns the device that a target of this name has while there is a session. */
    public static Path device(String name) {
        return Path.of("/dev", name);
    }

    /** Returns the partition that the device of a target may have. */
    public static Path partition(String name, int number) {
        return Path.of(device(name) + "-part" + number);
    }

    /** Makes devices that must not grow below a mounted file system. */
    public void growUnmountedOnly() {
        growsMounted = false;
    }

    /** Makes devices that no other node reaches. */
    public void ofThisNodeAlone() {
        shared = false;
    }

    @Override
    public boolean reachesManyNodes() {
        return shared;
    }

    /** Lets something that no mount table shows use every device, so that no session can be ended. */
    public void held() {
        held = true;
    }

    /** Lets sessions be ended again. */
    public void released() {
        held = false;
    }

    /** Tells of the path that leads to each device also after a restart of the node. */
    public void linked(Path link) {
        facts = Map.of(LINK, link.toString());
    }

    @Override
    public boolean growsMounted() {
        return growsMounted;
    }

    /** Logs in as another driver would, whose session is left alone unless it is taken over. */
    public synchronized void login(String iqn) {
        ofOthers.add(iqn);
        add(iqn);
    }

    /** Returns how often a mount was asked whether it shows a volume. */
    public synchronized int asked() {
        return asked;
    }

    /** Logs in as a process of this driver did that nobody remembers. */
    public synchronized void leftBehind(String iqn) {
        leftBehind.add(iqn);
        add(iqn);
    }

    @Override
    public OwnSessions sessions() {
        return (_, _) -> leftBehind.stream().filter(this::isIn).collect(Collectors.toMap(it -> it, "logout "::concat));
    }

    private synchronized void add(String iqn) {
        sessions.add(iqn);
        removed.remove(iqn);
        mounts.existingDevice(deviceOf(iqn));
    }

    private synchronized void logout(String iqn) {
        boolean used = mounts.table(TestWork.patient()).stream().anyMatch(it -> isOf(iqn, it));
        if (used) {
            throw new AssertionError("a session is ended under a mount: " + iqn);
        }
        sessions.remove(iqn);
        mounts.withoutDevice(deviceOf(iqn));
    }

    @Override
    public synchronized void restorePaths(Iscsi attachment, Map<String, String> known, Work work) {
        restored.add(attachment.iqn() + " " + known);
    }

    /** Returns the targets whose ways were to be tried, with the facts of their attachment. */
    public synchronized List<String> restored() {
        return List.copyOf(restored);
    }

    /** Returns the sessions, one line each. */
    public synchronized String dump() {
        return String.join(
                "", sessions.stream().map(it -> "session " + it + "\n").toList());
    }

    private static Path deviceOf(String iqn) {
        return device(iqn.substring(IQN.length()));
    }

    private synchronized boolean isIn(String iqn) {
        return sessions.contains(iqn);
    }

    @Override
    public Class<Iscsi> handles() {
        return Iscsi.class;
    }

    @Override
    public String identity(Iscsi attachment) {
        return attachment.iqn();
    }

    @Override
    public boolean offersBlock() {
        return true;
    }

    @Override
    public boolean outlivesMount() {
        return true;
    }

    @Override
    public void check(Attach<Iscsi> request) {
        if (request.attachment().iqn().startsWith("-")) {
            throw new StorageException(new Failure.InvalidRequest("volume_context.iqn", "begins with '-'"));
        }
    }

    @Override
    public Attached attach(Attach<Iscsi> request, Work work) {
        String iqn = request.attachment().iqn();
        if (iqn.endsWith("absent")) {
            throw new StorageException(new Failure.NodeFault("login to " + iqn, "there is no such target"));
        }
        if (!isIn(iqn)) {
            work.effect(new Effect("login", iqn), () -> add(iqn));
        }
        if (!isIn(iqn)) {
            throw new StorageException(new Failure.NodeFault("login to " + iqn, "there is no session after it"));
        }
        return new Attached.Device(deviceOf(iqn), facts);
    }

    @Override
    public void detach(Iscsi attachment, Map<String, String> facts, Work work) {
        if (ofOthers.contains(attachment.iqn()) && !facts.containsKey(RECOGNISED)) {
            return;
        }
        if (isIn(attachment.iqn()) && held) {
            throw new StorageException(new Failure.InUse(attachment.iqn(), "the kernel", "take that away first"));
        }
        if (isIn(attachment.iqn())) {
            work.effect(new Effect("logout", attachment.iqn()), () -> logout(attachment.iqn()));
        }
        if (isIn(attachment.iqn())) {
            throw new StorageException(new Failure.NodeFault("logout", "the session is still there"));
        }
    }

    /** Ends the session with a target under its mounts, as the kernel may: they stay, and it tells no more whose. */
    public synchronized void removed(String iqn) {
        sessions.remove(iqn);
        removed.add(iqn);
        mounts.withoutDevice(deviceOf(iqn));
    }

    /** Lets the session with a target be as the kernel says here, and not logged in. */
    public synchronized void failing(String iqn, String state) {
        states.put(iqn, state);
    }

    /** Lets the session with a target be logged in again. */
    public synchronized void recovered(String iqn) {
        states.remove(iqn);
    }

    @Override
    public synchronized List<VolumePath> paths(Iscsi attachment, Work work) {
        String iqn = attachment.iqn();
        String state = states.getOrDefault(iqn, "LOGGED_IN");
        if (state.equals("UNREADABLE")) {
            throw new StorageException(new Failure.NodeFault("reading sysfs about " + iqn, "it hangs"));
        }
        if (state.equals("UNFORESEEN")) {
            throw new IllegalStateException("sysfs has a line that nobody foresaw about " + iqn);
        }
        List<VolumePath> paths = new ArrayList<>();
        paths.add(new VolumePath(
                "portal " + attachment.portal(),
                isIn(iqn) ? "session " + state : "no session",
                isIn(iqn) && state.equals("LOGGED_IN")));
        attachment.portals().forEach(it -> paths.add(new VolumePath("portal " + it, "no session", false)));
        return paths;
    }

    @Override
    public synchronized boolean shows(Iscsi attachment, MountEntry mount, Work work) {
        asked++;
        return !removed.contains(attachment.iqn()) && isOf(attachment.iqn(), mount);
    }

    private static boolean isOf(String iqn, MountEntry mount) {
        Path device = deviceOf(iqn);
        return mount.isDeviceNode()
                ? mount.root().equals("/" + device.getFileName())
                : PARTITION.matcher(mount.source()).replaceFirst("").equals(device.toString());
    }

    @Override
    public synchronized Optional<Iscsi> recognise(MountEntry mount, Work work) {
        return sessions.stream()
                .filter(iqn -> isOf(iqn, mount))
                .findFirst()
                .map(iqn -> target(iqn.substring(IQN.length())));
    }
}
