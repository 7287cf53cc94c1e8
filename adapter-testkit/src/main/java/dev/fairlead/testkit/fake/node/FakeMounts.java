package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.Silence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A node's directories and mount table in memory; the tree knows directories, files and symbolic links by path only.
 */
public final class FakeMounts implements Mounter {
    private static final String DEVICE = "8:1";

    private final FakeDirectories directories = new FakeDirectories();
    private final List<MountEntry> mounts = new ArrayList<>();
    private final Set<String> devices = new HashSet<>();
    private final Set<Path> asked = new HashSet<>();
    private final Map<Path, Silence> silences = new HashMap<>();
    private final Set<String> absent = new HashSet<>();
    private final Set<Path> ofOthers = new HashSet<>();
    private final Map<Path, Filesystem> takenAway = new HashMap<>();
    private final Set<Path> slow = new HashSet<>();
    private final FakeLastingMounts lasting = new FakeLastingMounts();
    private boolean failing;
    private int lastId = 20;

    public FakeMounts() {
        mounts.add(new MountEntry(
                1, 0, DEVICE, "/", "/", List.of("rw"), "ext4", "/dev/sda1", List.of("rw", "errors=remount-ro")));
    }

    /** Adds a directory, with its parents, as one that was there before. */
    public synchronized void existing(Path directory) {
        directories.existing(directory);
    }

    /** Adds a file or symbolic link, as one that was there before. */
    public synchronized void existingOther(Path path) {
        directories.existingOther(path);
    }

    /** Adds a device node, as one that was there before. */
    public synchronized void existingDevice(Path device) {
        devices.add("/" + device.getFileName());
    }

    /** Makes every mount of this source fail. */
    public synchronized void withoutShare(String source) {
        absent.add(source);
    }

    /** Lets this source be mounted again. */
    public synchronized void withShare(String source) {
        absent.remove(source);
    }

    /** Makes what is mounted at the path a mount of another process. */
    public synchronized void madeByAnotherProcess(Path target) {
        ofOthers.add(target);
    }

    @Override
    public synchronized Optional<Filesystem> mounted(Path target, Work work) {
        return at(target, work)
                .filter(_ -> !ofOthers.contains(target))
                .map(FilesystemEntry::filesystem)
                .or(() -> Optional.ofNullable(takenAway.get(target))
                        .filter(_ -> at(target, work).isEmpty()));
    }

    public synchronized void withoutDevice(Path device) {
        devices.remove("/" + device.getFileName());
    }

    public synchronized boolean isDirectory(Path path) {
        return directories.isDirectory(path);
    }

    /** Returns the directories and mounts, one line each: equal states give equal texts, whatever the ids. */
    public synchronized String dump() {
        StringBuilder text = new StringBuilder(directories.dump());
        mounts.stream()
                .map(entry -> "mount %s %s at %s %s%n"
                        .formatted(entry.device(), entry.root(), entry.mountPoint(), entry.options()))
                .sorted()
                .forEach(text::append);
        return text.toString();
    }

    @Override
    public synchronized Optional<MountEntry> at(Path path, Work work) {
        return mounts.stream()
                .filter(entry -> entry.mountPoint().equals(path.toString()))
                .reduce((_, later) -> later);
    }

    @Override
    public synchronized List<MountEntry> table(Work work) {
        return List.copyOf(mounts);
    }

    @Override
    public void bind(Attached.Directory directory, Path target, List<String> flags, Work work) {
        Path source = directory.path();
        require(isDirectory(source), "bind " + source, "no such directory");
        require(isDirectory(target), "bind at " + target, "no such directory");
        placed("bind", entry(source, target, flags), work);
    }

    @Override
    public void bindDevice(Path device, Path target, List<String> flags, Work work) {
        String name = at(device, work).map(MountEntry::root).orElse("/" + device.getFileName());
        require(devices.contains(name), "bind " + device, "no such device");
        if (!directories.isOther(target)) {
            require(isDirectory(target.resolveSibling("")), "touch " + target, "no such directory");
            work.effect(new Effect("touch", target.toString()), () -> directories.placeholder(target));
        }
        String access = flags.contains("ro") ? "ro" : "rw";
        placed("mount", FilesystemEntry.ofDevice(nextId(), name, target, access), work);
    }

    @Override
    public void mount(Filesystem filesystem, Path target, Work work) {
        require(isDirectory(target), "mount at " + target, "no such directory");
        if (absent.contains(filesystem.source())) {
            throw new StorageException(
                    new Failure.MountFailed(filesystem.source(), target.toString(), "No such file or directory"));
        }
        MountEntry wanted = FilesystemEntry.of(nextId(), filesystem, target);
        refuseWhileMounting(target.toString());
        if (lasting.lasts() && at(target, work).isEmpty()) {
            work.effect(new Effect("mount", target.toString()), () -> lasting.begin(wanted));
            refuseWhileMounting(target.toString());
        }
        placed("mount", wanted, work);
        boolean failed = failing;
        failing = false;
        require(!failed, "mount at " + target, "it is there, and was to fail");
    }

    /** Lets the next mount of a file system happen, and tell a failure. */
    public synchronized void mountAndFail() {
        failing = true;
    }

    /** Lets every mount of a file system outlast its caller from now on. */
    public synchronized void mountForLong() {
        lasting.begin();
    }

    /** Ends the mounts that have outlasted their callers: they are there now. */
    public synchronized void mountEnds() {
        lasting.end().forEach(this::add);
    }

    /** Throws {@code OperationPending} while the source is mounted, or something at the place, beyond its call. */
    synchronized void refuseWhileMounting(String place) {
        lasting.refuse(place);
    }

    private void placed(String effect, MountEntry wanted, Work work) {
        Path target = Path.of(wanted.mountPoint());
        Optional<MountEntry> present = at(target, work);
        if (present.isPresent()) {
            FilesystemEntry.refuseIfOther(present.get(), wanted);
            return;
        }
        work.effect(new Effect(effect, target.toString()), () -> add(wanted));
        boolean shown = at(target, work).filter(wanted::equals).isPresent();
        require(shown, effect + " at " + target, "the mount table does not show it");
    }

    private synchronized int nextId() {
        lastId++;
        return lastId;
    }

    /** Adds a bind mount on top of whatever is at the target, as somebody else would. */
    public synchronized void mountOver(Path source, Path target) {
        add(entry(source, target, List.of()));
    }

    private synchronized MountEntry entry(Path source, Path target, List<String> flags) {
        MountEntry holder = FilesystemEntry.holding(mounts, source);
        return FilesystemEntry.bound(
                nextId(), FilesystemEntry.holding(mounts, target).id(), holder, source, target, flags);
    }

    private synchronized void add(MountEntry entry) {
        mounts.add(entry);
    }

    @Override
    public void unmount(Path target, Work work) {
        refuseWhileMounting(target.toString());
        takenAway.remove(target);
        takenOff(target, work);
    }

    private void takenOff(Path target, Work work) {
        while (at(target, work).isPresent()) {
            MountEntry top = at(target, work).get();
            work.effect(new Effect("unmount", target.toString()), () -> remove(top));
            require(!table(work).contains(top), "unmount " + target, "the mount table still shows it");
        }
    }

    @Override
    public void unmountLazily(Path target, Work work) {
        mounted(target, work).ifPresent(it -> takenAway.put(target, it));
        takenOff(target, work);
        silences.remove(target);
    }

    @Override
    public Optional<Silence> silence(Path path, Work work) {
        asked.add(path);
        return Optional.ofNullable(silences.get(path));
    }

    @Override
    public boolean isAskedInVain(Path path) {
        return asked.contains(path)
                && !slow.contains(path)
                && Optional.ofNullable(silences.get(path))
                        .filter(it -> it.kind() == Silence.Kind.SILENT)
                        .isPresent();
    }

    /** Makes what is mounted at the path answer later than those wait who ask whether it does. */
    public void slowed(Path path) {
        silenced(path, false);
        slow.add(path);
    }

    /** Makes what is mounted at the path answer no more. */
    public void silenced(Path path, boolean lost) {
        Silence.Kind kind = lost ? Silence.Kind.LOST : Silence.Kind.SILENT;
        silenced(path, new Silence(kind, lost ? "ESTALE" : "no answer within 2000 ms"));
    }

    /** Makes what is mounted at the path answer in this way. */
    public void silenced(Path path, Silence silence) {
        silences.put(path, silence);
    }

    /** Returns where it was asked whether what is mounted answers. */
    public Set<Path> asked() {
        return Set.copyOf(asked);
    }

    /** Gives the file system at the path these options, as the kernel does after an error. */
    public synchronized void changed(Path path, List<String> superOptions) {
        mounts.replaceAll(
                it -> it.mountPoint().equals(path.toString()) ? FilesystemEntry.changed(it, superOptions) : it);
    }

    /** Lets what is mounted at the path answer again. */
    public void answering(Path path) {
        silences.remove(path);
    }

    @Override
    public boolean shows(Path path, DirectoryLookup found, MountEntry mount, Work work) {
        return mount.root().equals(path.toString()) && mount.device().equals(DEVICE); // no path here has a link
    }

    @Override
    public List<MountEntry> showing(Path directory, Work work) {
        return table(work).stream()
                .filter(entry -> entry.id() != 1 && Path.of(entry.root()).startsWith(directory))
                .toList();
    }

    private synchronized void remove(MountEntry entry) {
        mounts.remove(entry);
    }

    @Override
    public void makeDirectory(Path path, Work work) {
        directories.make(path, work);
    }

    @Override
    public void removeDirectory(Path path, Work work) {
        directories.remove(path, at(path, work).isPresent(), work);
    }

    @Override
    public Usage usage(Path path, Work work) {
        require(isDirectory(path), "statfs " + path, "no such directory");
        require(!silences.containsKey(path) || slow.contains(path), "statfs " + path, "it hangs");
        return new Usage(1L << 30, 3L << 28, 1L << 28, 65_536, 65_000, 536);
    }

    private static void require(boolean condition, String what, String otherwise) {
        if (!condition) {
            throw new StorageException(new Failure.NodeFault(what, otherwise));
        }
    }
}
