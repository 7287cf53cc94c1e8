package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.BoundedWork;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the journal with the node's mounts, and detaches what nobody can be using any more.
 *
 * <p>An entry without a mount is left by a call that was cut or has failed: kubelet repeats that call, or has forgotten
 * it after its own restart. The two cannot be told apart at once, so an attachment stays for some looks without a mount
 * before it is detached; a stage that is repeated later attaches it anew. What is mounted anywhere on this node stays,
 * and so does whatever neither the journal nor an attacher's own notes know. Ways that a mounted volume lacks are tried
 * again. What was to grow once nobody has it grows when it is detached.
 */
public final class JournalReconciler {
    private static final Logger log = LoggerFactory.getLogger(JournalReconciler.class);

    /** The number of looks in a row that have to find an attachment without a mount before it is detached. */
    public static final int LOOKS = 5;

    /** The time after which a file system that was begun is given up if no call has asked for its volume since. */
    public static final Duration GIVEN_UP = Duration.ofDays(1);

    /** The longest time to grow a volume, or to look at the sessions of a protocol; another look asks again. */
    static final Duration GROWTH = Duration.ofSeconds(30);

    private final Attachers attachers;
    private final NodePorts ports;
    private final StagingPaths paths;
    private final KeyedLocks locks;
    private final SharedDevices shared;
    private final UnmountedGrowth growth;
    private final InstantSource clock;
    private final Map<String, Idleness> idle = new HashMap<>();
    private final Set<String> orphans = new HashSet<>();

    /**
     * Counts the looks in a row that found no mount of a volume.
     *
     * @param written when its entry was written last, which a call does
     */
    private record Idleness(int looks, Instant written) {}

    /** Says how an attachment is; a metric label. */
    public enum State {
        /** It is mounted. */
        STAGED,
        /** It has no mount; the call that made it may still be repeated. */
        IDLE,
        /** It was idle for long, and is detached now. */
        DETACHED,
        /** It is detached; its entry stays for a day, since a file system was begun on it and not finished. */
        UNFINISHED,
        /** It was unfinished and no call asked for it for a day; its entry is gone now. */
        DROPPED,
        /** It cannot be looked at or detached. */
        STUCK,
        /** The journal has it, and no attacher of this node is for it. */
        UNKNOWN,
        /** It is mounted at a staging path of this driver, and the journal does not have it. */
        UNRECORDED,
        /** It is a session of this driver by its notes; the journal has no volume of it, and it is a human's to end. */
        ORPHANED,
        /** A part of the journal cannot be read; nobody knows what it tells of. */
        UNREADABLE
    }

    /**
     * Says how one attachment was found.
     *
     * @param subject the volume's handle; the mount point, the session's name or the place in the journal, if that is
     *     all that is known
     * @param detail for people
     */
    public record Finding(State state, String subject, String detail) {}

    /**
     * @param drivers the CSI names of this process, whose staging paths are looked at
     * @param locks those of the node's calls
     * @param storage the node's calls' too
     * @param clock the node's, by which the journal tells when an entry was written
     */
    public JournalReconciler(
            NodePorts ports, Set<String> drivers, KeyedLocks locks, NodeGrowth storage, InstantSource clock) {
        this.attachers = new Attachers(ports.attachers());
        this.ports = ports;
        this.paths = new StagingPaths(drivers);
        this.locks = locks;
        CutFormats cuts = new CutFormats(ports.filesystems(), ports.journal());
        this.shared = new SharedDevices(attachers, ports.journal(), cuts, locks);
        this.growth = new UnmountedGrowth(ports.mounter(), ports.filesystems(), ports.journal(), locks, storage);
        this.clock = clock;
    }

    /** Looks at every attachment once. Called by one thread. */
    public List<Finding> look(Work work) {
        StageJournal.Inventory journal = ports.journal().inventory();
        List<StageJournal.Entry> entries = journal.entries();
        idle.keySet().retainAll(entries.stream().map(StageJournal.Entry::handle).collect(Collectors.toSet()));
        List<MountEntry> table = ports.mounter().table(work);
        List<Finding> findings = new ArrayList<>();
        for (StageJournal.Entry entry : entries) {
            findings.add(attachers
                    .of(entry.attachment())
                    .map(volume -> finding(entry, volume, table, work))
                    .orElse(new Finding(
                            State.UNKNOWN,
                            entry.handle(),
                            "no attacher of this node is for its protocol; run the node plugin that staged it")));
        }
        journal.unreadable().forEach(it -> findings.add(unreadable(it)));
        findings.addAll(unrecorded(journal, table, work));
        findings.addAll(orphaned(work));
        return findings;
    }

    /** Tells of the sessions that two looks in a row find left over; at one alone, a call may be at work on them. */
    private List<Finding> orphaned(Work work) {
        StageJournal.Inventory journal = ports.journal().inventory();
        Set<String> before = Set.copyOf(orphans);
        orphans.clear();
        if (!journal.unreadable().isEmpty()) {
            return List.of(); // a session may be of what cannot be read
        }
        List<Finding> findings = new ArrayList<>();
        for (Attacher<?> attacher : ports.attachers()) {
            leftOver(attacher, journal, work).forEach((session, command) -> {
                orphans.add(session);
                if (before.contains(session)) {
                    findings.add(new Finding(
                            State.ORPHANED,
                            session,
                            "this driver made it by its notes, and the journal has no volume of it; once you know that"
                                    + " nothing uses it, end it by: " + command));
                }
            });
        }
        return findings;
    }

    private Map<String, String> leftOver(Attacher<?> attacher, StageJournal.Inventory journal, Work work) {
        try {
            return attacher.sessions().leftOver(journal, BoundedWork.of(work, GROWTH, clock));
        } catch (RuntimeException _) { // of the other protocols is told all the same
            return Map.of();
        }
    }

    private static Finding unreadable(StageJournal.Unreadable part) {
        return new Finding(
                State.UNREADABLE,
                part.place(),
                part.why()
                        + "; calls on its volume are refused until it is repaired. If it is removed, a volume that is"
                        + " mounted is recognised by its mount, and what ends the session of one that is not is told,"
                        + " as of each that is orphaned");
    }

    private Finding finding(StageJournal.Entry entry, VolumeAttacher<?> volume, List<MountEntry> table, Work work) {
        String handle = entry.handle();
        try {
            if (isMounted(entry, volume, table, work)) {
                idle.remove(handle);
                return new Finding(State.STAGED, handle, "mounted" + volume.restoredWays(entry.facts(), work));
            }
            int looks = looks(handle);
            if (looks < LOOKS) {
                return new Finding(State.IDLE, handle, "attached, and not mounted for " + looks + " looks");
            }
            return looks > LOOKS && CutFormats.isCut(entry) && !isGivenUp(handle)
                    ? unfinished(handle)
                    : detached(entry, volume, work);
        } catch (StorageException e) {
            return failed(handle, e.failure());
        } catch (RuntimeException e) { // it must not keep the others from being looked at
            log.atError().addKeyValue("volume", handle).setCause(e).log("an unexpected error at an attachment");
            return stuck(handle, "an unexpected error, which the log has: " + e);
        }
    }

    /** Counts this look without a mount; the count begins anew if a call has written the entry since the last one. */
    private int looks(String handle) {
        Instant written = ports.journal().written(handle).orElse(Instant.EPOCH);
        Idleness before = idle.getOrDefault(handle, new Idleness(0, written));
        int looks = before.written().equals(written) ? before.looks() + 1 : 1;
        idle.put(handle, new Idleness(looks, written));
        return looks;
    }

    private boolean isGivenUp(String handle) {
        Instant latest = clock.instant().minus(GIVEN_UP);
        return ports.journal().written(handle).filter(latest::isAfter).isPresent();
    }

    /** Tells of a failure; the next look tries again. */
    private Finding failed(String handle, Failure failure) {
        if (failure instanceof Failure.OperationPending) {
            idle.remove(handle);
            return new Finding(State.IDLE, handle, "a call is at work on it");
        }
        return stuck(handle, failure.message());
    }

    private Finding stuck(String handle, String why) {
        idle.computeIfPresent(handle, (_, it) -> new Idleness(Math.min(it.looks(), LOOKS - 1), it.written()));
        return new Finding(State.STUCK, handle, why);
    }

    /** Detaches a volume unless a call has changed it since the look began, and grows it if it is to. */
    private Finding detached(StageJournal.Entry entry, VolumeAttacher<?> volume, Work work) {
        String handle = entry.handle();
        Finding found = locks.changingAttachment(
                handle,
                work,
                () -> shared.exclusively(volume, work, () -> {
                    boolean same =
                            ports.journal().of(handle).filter(entry::equals).isPresent();
                    if (!same || isMounted(entry, volume, ports.mounter().table(work), work)) {
                        idle.remove(handle);
                        return new Finding(State.IDLE, handle, "a call has changed it");
                    }
                    return givenBack(entry, volume, work);
                }));
        if (found.state() == State.DETACHED || found.state() == State.DROPPED) {
            // outside of the locks above, since the storage's use case has its own
            growth.grow(handle, volume, BoundedWork.of(work, GROWTH, clock));
            idle.remove(handle);
        }
        return found;
    }

    private Finding givenBack(StageJournal.Entry entry, VolumeAttacher<?> volume, Work work) {
        String handle = entry.handle();
        Optional<String> other = shared.other(handle, volume);
        var _ = shared.giveBack(entry, volume, other, work);
        boolean unfinished = CutFormats.isCut(entry);
        if (unfinished && !isGivenUp(handle)) {
            return unfinished(handle);
        }
        if (other.isPresent() || !UnmountedGrowth.isWanted(entry)) {
            ports.journal().remove(handle, work);
        }
        return unfinished
                ? new Finding(
                        State.DROPPED,
                        handle,
                        "making its file system was cut off, and no call has asked for it for a day; if the volume"
                                + " still exists, what was begun is on it, and it is refused unless it is emptied")
                : new Finding(State.DETACHED, handle, "it was attached and not mounted for " + LOOKS + " looks");
    }

    private static Finding unfinished(String handle) {
        return new Finding(
                State.UNFINISHED,
                handle,
                "making its file system was cut off, and nobody has staged it since; the entry goes a day after a"
                        + " call has asked for it last");
    }

    /** Asks the volume's own places first: a look would read sysfs of each volume for each mount of the node else. */
    private boolean isMounted(StageJournal.Entry entry, VolumeAttacher<?> volume, List<MountEntry> table, Work work) {
        List<Path> own = StagingPaths.all(entry.staging());
        Map<Boolean, List<MountEntry>> mounts =
                table.stream().collect(Collectors.partitioningBy(it -> own.contains(Path.of(it.mountPoint()))));
        return mounts.getOrDefault(true, List.of()).stream().anyMatch(it -> volume.shows(entry.facts(), it, work))
                || mounts.getOrDefault(false, List.of()).stream().anyMatch(it -> volume.shows(entry.facts(), it, work))
                || table.stream().anyMatch(mount -> attachers.isLeftBy(entry, mount, work));
    }

    /** Returns the mounts at staging paths of this driver whose attachment an entry should tell, and none does. */
    private List<Finding> unrecorded(StageJournal.Inventory journal, List<MountEntry> table, Work work) {
        Set<String> known = journal.entries().stream()
                .map(StageJournal.Entry::staging)
                .map(Path::toString)
                .collect(Collectors.toSet());
        List<Finding> findings = new ArrayList<>();
        for (MountEntry mount : table) {
            String staging = StagingPaths.staging(mount.mountPoint());
            if (paths.include(staging) && !known.contains(staging) && isToBeDetached(mount, work)) {
                findings.add(new Finding(
                        State.UNRECORDED,
                        mount.mountPoint(),
                        journal.unreadable().isEmpty()
                                ? "another driver, or an older version, staged it; it is detached when it is unstaged"
                                : "its entry may be what cannot be read"));
            }
        }
        return findings;
    }

    private boolean isToBeDetached(MountEntry mount, Work work) {
        try {
            Optional<VolumeAttacher<?>> behind = attachers.behind(mount, work);
            return behind.filter(VolumeAttacher::outlivesMount).isPresent();
        } catch (StorageException _) {
            return false; // what is behind it cannot be read now; the next look asks again
        } catch (RuntimeException e) { // it must not keep the others from being told of
            log.atError().addKeyValue("mount", mount.mountPoint()).setCause(e).log("an unexpected error at a mount");
            return false;
        }
    }
}
