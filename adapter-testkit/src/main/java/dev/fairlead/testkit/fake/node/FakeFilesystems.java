package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import dev.fairlead.domain.format.Emptiness;
import dev.fairlead.domain.format.FormatGuard.Born;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Devices in memory, and what is on them. */
public final class FakeFilesystems implements Filesystems {
    private static final String UUID = "6d2b1a3c-0000-4000-8000-000000000001";

    private final Map<Path, DeviceFindings> devices = new TreeMap<>();
    private final Map<Path, Integer> writes = new TreeMap<>();
    private final Map<Path, Path> disks = new TreeMap<>();
    private final Map<Path, Long> grown = new TreeMap<>();
    private final List<String> formats = new ArrayList<>();
    private final Set<Path> protectedDevices = new TreeSet<>();
    private final List<String> checks = new ArrayList<>();
    private String maker = "one";
    private boolean readable = true;
    private final Set<String> taken = new TreeSet<>();
    private boolean damaged;
    private boolean used;
    private boolean slow;
    private final List<Path> forgotten = new ArrayList<>();
    private Optional<Runnable> atWork = Optional.empty();
    private FakeMounts mounts = new FakeMounts();

    /** Lets a device be looked at only while these mounts are not at work on it. */
    public synchronized void mountedIn(FakeMounts table) {
        mounts = table;
    }

    /** Adds an empty device. */
    public synchronized void blank(Path device, long size) {
        put(device, new DeviceFindings(size, List.of(), true));
    }

    private void put(Path device, DeviceFindings content) {
        devices.put(device, content);
        writes.merge(device, 1, Integer::sum);
    }

    /** Puts something on a device. */
    public synchronized void written(Path device, long size, Kind kind, String type) {
        put(device, new DeviceFindings(size, List.of(new Signature(kind, type, Optional.empty())), false));
    }

    /** Puts a file system with this UUID on a device. */
    public synchronized void written(Path device, long size, String type, String uuid) {
        put(device, new DeviceFindings(size, List.of(new Signature(Kind.FILESYSTEM, type, Optional.of(uuid))), false));
    }

    /** Puts a partition table on a device, and shows its last partition, on which nothing is yet. */
    public synchronized void partitioned(Path device, long size, Path last, long sizeOfLast) {
        written(device, size, Kind.PARTITION_TABLE, "gpt");
        blank(last, sizeOfLast);
        disks.put(last, device);
    }

    /** Puts data on a device in which nothing is recognised. */
    public synchronized void noise(Path device, long size) {
        put(device, new DeviceFindings(size, List.of(), false));
    }

    /** Changes the size of a device. */
    public synchronized void resized(Path device, long size) {
        DeviceFindings old = found(device);
        devices.put(device, new DeviceFindings(size, old.signatures(), old.zeros()));
    }

    @Override
    public synchronized void forgetFailures(Path device) {
        forgotten.add(device);
    }

    /** Returns the devices of which it was told to forget what nobody heard. */
    public synchronized List<Path> forgotten() {
        return List.copyOf(forgotten);
    }

    /** Makes every read of a device fail from now on. */
    public synchronized void unreadable() {
        readable = false;
    }

    /** Lets reads succeed again. */
    public synchronized void readable() {
        readable = true;
    }

    /** Puts another device at every path. */
    public synchronized void replaced() {
        maker = "another";
    }

    /** Lets every format outlast its caller from now on; what is asked of a device meanwhile is told so. */
    public synchronized void formatForLong() {
        slow = true;
    }

    /** Ends the format that has outlasted its caller. */
    public synchronized void formatEnds() {
        slow = false;
        atWork.ifPresent(Runnable::run);
        atWork = Optional.empty();
    }

    private synchronized void refuseAtWork(Path device) {
        mounts.refuseWhileMounting(device.toString());
        if (atWork.isPresent()) {
            throw new StorageException(
                    new Failure.OperationPending(device.toString(), "mkfs", Duration.ofMinutes(2), ""));
        }
    }

    private synchronized void begin(Runnable format) {
        atWork = Optional.of(format);
    }

    /** Damages every file system beyond what its program repairs. */
    public synchronized void damaged() {
        damaged = true;
    }

    /** Lets another device have this UUID, beside which only what is known to be a copy can be mounted. */
    public synchronized void taken(String uuid) {
        taken.add(uuid);
    }

    /** Returns whether nobody may write to a device. */
    public synchronized boolean isProtected(Path device) {
        return protectedDevices.contains(device);
    }

    /** Returns each check of a file system, as {@code type device}. */
    public synchronized List<String> checks() {
        return List.copyOf(checks);
    }

    /** Returns each format that was done, as {@code type device}. */
    public synchronized List<String> formats() {
        return List.copyOf(formats);
    }

    /** Returns the size that the file system on a device was grown to last; 0 if it never was. */
    public synchronized long grownTo(Path device) {
        return grown.getOrDefault(device, 0L);
    }

    /** Returns what is on the devices, one line each. */
    public synchronized String dump() {
        StringBuilder text = new StringBuilder();
        devices.forEach((path, found) ->
                text.append("device ").append(path).append(' ').append(found).append('\n'));
        protectedDevices.forEach(path -> text.append("protected ").append(path).append('\n'));
        return text.toString();
    }

    private DeviceFindings found(Path device) {
        return Optional.ofNullable(devices.get(device))
                .orElseThrow(() ->
                        new StorageException(new Failure.NodeFault("reading " + device, "there is no such device")));
    }

    @Override
    public synchronized Optional<Path> lastPartition(Path device, Work work) {
        return disks.entrySet().stream()
                .filter(it -> it.getValue().equals(device))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    @Override
    public synchronized Optional<Partition> partition(Path device, Work work) {
        return Optional.ofNullable(disks.get(device))
                .map(it -> new Partition(it, found(it).size() - found(device).size()));
    }

    @Override
    public Set<String> types() {
        return Set.of("ext4", "xfs");
    }

    @Override
    public synchronized DeviceFindings probe(Path device, Work work) {
        refuseAtWork(device);
        if (!readable) {
            throw new StorageException(new Failure.NodeFault("reading " + device, "EIO"));
        }
        return found(device);
    }

    @Override
    public synchronized String digest(Path device, Work work) {
        return probe(device, work) + " after " + writes.getOrDefault(device, 0) + " writes";
    }

    @Override
    public synchronized String identity(Path device, Work work) {
        refuseAtWork(device);
        return "size=" + found(device).size() + " maker=" + maker;
    }

    @Override
    public void writable(Path device, boolean writable, Work work) {
        refuseAtWork(device);
        if (isProtected(device) == writable) {
            work.effect(new Effect("protect", device.toString()), () -> protect(device, writable));
        }
        if (isProtected(device) == writable) {
            throw new StorageException(new Failure.NodeFault("protecting " + device, "it is as it was"));
        }
    }

    private synchronized void protect(Path device, boolean writable) {
        var _ = writable ? protectedDevices.remove(device) : protectedDevices.add(device);
    }

    @Override
    public void checkOptions(String field, List<String> options) {
        if (options.contains("suid")) {
            throw new StorageException(new Failure.InvalidRequest(field, "suid"));
        }
    }

    @Override
    public synchronized void check(Path device, String type, Optional<String> uuid, Born born, Work work) {
        refuseAtWork(device);
        checks.add(type + " " + device);
        if (born != Born.COPIED && uuid.filter(taken::contains).isPresent()) {
            throw new StorageException(
                    new Failure.MountFailed(device.toString(), "its staging path", "its UUID is taken"));
        }
        if (damaged) {
            throw new StorageException(new Failure.MountFailed(device.toString(), "its staging path", "damaged"));
        }
    }

    @Override
    public List<String> readingOptions(String type) {
        return List.of("ro", type.equals("xfs") ? "norecovery" : "noload");
    }

    /** Lets something else than the mounts of this namespace use every device. */
    public synchronized void used() {
        used = true;
    }

    /** Lets nothing but the mounts of this namespace use a device from now on. */
    public synchronized void unused() {
        used = false;
    }

    @Override
    public synchronized Optional<String> user(Path device, Work work) {
        return used ? Optional.of("a mount of another namespace") : Optional.empty();
    }

    @Override
    public synchronized long size(Path device, Work work) {
        if (!readable) {
            throw new StorageException(new Failure.NodeFault("size of " + device, "it hangs"));
        }
        return found(device).size();
    }

    @Override
    public Optional<String> format(Path device, String type, Emptiness proof, Work work) {
        if (slow) {
            begin(() -> formatNow(device, type));
            refuseAtWork(device);
        }
        work.effect(new Effect("mkfs", device.toString()), () -> formatNow(device, type));
        if (found(device).signatures().isEmpty()) {
            throw new StorageException(new Failure.NodeFault("mkfs on " + device, "no file system is found after it"));
        }
        return Optional.of(UUID);
    }

    private synchronized void formatNow(Path device, String type) {
        formats.add(type + " " + device);
        put(
                device,
                new DeviceFindings(
                        found(device).size(), List.of(new Signature(Kind.FILESYSTEM, type, Optional.of(UUID))), false));
    }

    @Override
    public List<String> mountOptions(String type) {
        return type.equals("xfs") ? List.of("nouuid") : List.of();
    }

    @Override
    public synchronized void grow(Path device, String type, Path mountPoint, Work work) {
        grown.put(device, found(device).size());
    }
}
