package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.out.node.StageJournal.FilesystemState;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.node.VolumeAttacher.Wish;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.Emptiness;
import dev.fairlead.domain.format.FormatGuard;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.domain.format.FormatGuard.Decision;
import dev.fairlead.domain.format.FormatGuard.Evidence;
import dev.fairlead.domain.format.FormatGuard.Known;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.mount.MountOptions;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an attached device appear at a staging path: as it is, or with its file system, which is made if it is empty.
 */
public record DeviceStaging(
        Mounter mounter,
        Filesystems filesystems,
        StageJournal journal,
        CutFormats cuts,
        SharedDevices shared,
        Telemetry telemetry) {
    /** The key of the volume_context that tells what the volume held when it was made. */
    static final String CONTENT = "fairlead.dev/content";

    private static final String FLAGS = "mount_flags";
    private static final String USUAL_TYPE = "ext4";
    private static final Logger log = LoggerFactory.getLogger(DeviceStaging.class);

    /** Refuses what can be refused without a look at the device. */
    void check(Wish wish) {
        filesystems.checkOptions(VolumeAttacher.FLAGS, wish.capability().mountFlags());
        filesystems.checkOptions("secrets." + FLAGS, secretFlags(wish));
    }

    private static List<String> secretFlags(Wish wish) {
        return Optional.ofNullable(wish.secrets().get(FLAGS))
                .map(flags -> MountOptions.of("secrets." + FLAGS, List.of(flags.reveal())))
                .orElse(List.of());
    }

    /** Returns what the attacher told, the device itself, and that the volume was taken over if it was. */
    private static Map<String, String> facts(Attached.Device device, StageJournal.Entry before) {
        Map<String, String> facts = new HashMap<>(device.facts());
        facts.put(Attacher.DEVICE, device.path().toString());
        Optional.ofNullable(before.facts().get(Attacher.RECOGNISED))
                .ifPresent(how -> facts.put(Attacher.RECOGNISED, how));
        UnmountedGrowth.keep(facts, before);
        return facts;
    }

    void stage(Attached.Device device, StageJournal.Entry before, Wish wish, Work work) {
        StageJournal.Entry entry = before.with(facts(device, before));
        if (!entry.equals(before)) {
            journal.write(entry, work);
        }
        Path staging = entry.staging();
        switch (wish.capability().access()) {
            case VolumeCapability.Block() -> {
                Path place = StagingPaths.device(staging);
                if (mounter.at(place, work).isEmpty()) {
                    filesystems.writable(device.path(), !wish.isForReading(), work);
                }
                var _ = shared.takeOver(entry, work);
                mounter.bindDevice(device.path(), place, List.of(), work);
            }
            case VolumeCapability.Mount mount -> mount(device.path(), entry, mount, wish, work);
        }
    }

    private void mount(Path device, StageJournal.Entry entry, VolumeCapability.Mount mount, Wish wish, Work work) {
        Optional<Mounter.MountEntry> mounted = mounter.at(entry.staging(), work);
        SequencedSet<String> options = new LinkedHashSet<>();
        MountOptions.of(VolumeAttacher.FLAGS, mount.flags())
                .forEach(options::addLast); // of a repeated option the last place counts, as with mount(8)
        secretFlags(wish).forEach(options::addLast);
        options.remove("defaults");
        boolean writing = !wish.isForReading() && !options.contains("ro");
        Volume volume;
        if (mounted.isPresent()) {
            volume = new Volume(
                    mountedFrom(mounted.get(), device, work), mounted.get().fsType());
        } else {
            protect(device, writing, wish, work);
            String wanted = mount.fsType().isEmpty() ? USUAL_TYPE : mount.fsType();
            volume = prepared(device, entry, wanted, writing, wish, work);
        }
        if (wish.isForReading()
                && mounted.filter(it -> isOthersForWriting(it, entry)).isPresent()) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", entry.handle())
                    .log(
                            "another driver has mounted the volume for writing, and it is asked for by readers: it stays as"
                                    + " it is until it is unstaged, and pods get it read-only");
            return;
        }
        String type = volume.type();
        options.addAll(filesystems.mountOptions(type));
        if (wish.isForReading()) {
            options.remove("rw");
            options.addAll(filesystems.readingOptions(type));
        }
        mounter.mount(Filesystem.of(type, volume.device().toString(), List.copyOf(options)), entry.staging(), work);
        if (writing) {
            grow(volume.device(), type, entry, work);
        }
    }

    /** Returns whether another driver made this mount, which did not care that the volume is for readers. */
    private static boolean isOthersForWriting(Mounter.MountEntry mounted, StageJournal.Entry entry) {
        boolean readOnly = mounted.readOnly() || mounted.superOptions().contains("ro");
        return !readOnly && entry.facts().containsKey(Attacher.RECOGNISED);
    }

    /**
     * Says where the file system is.
     *
     * @param device the attached one, or a partition of it
     */
    private record Volume(Path device, String type) {}

    /** Lets a device be written, or nobody write to it; leaves it as it is if it is only mounted by {@code ro}. */
    private void protect(Path device, boolean writing, Wish wish, Work work) {
        if (writing || wish.isForReading()) {
            filesystems.writable(device, writing, work);
        }
    }

    /** Returns the partition of the device from which it is mounted; the device itself if it is none of its own. */
    private Path mountedFrom(Mounter.MountEntry mounted, Path device, Work work) {
        Path source = Path.of(mounted.source());
        boolean isPart = mounted.isOfDevice()
                && !source.equals(device)
                && filesystems
                        .partition(source, work)
                        .filter(it -> it.disk().equals(device))
                        .isPresent();
        return isPart ? source : device;
    }

    /**
     * Returns the file system on a device, which is made if the device is proved empty. Of a device with a partition
     * table it is that in the last partition, as democratic-csi has it.
     */
    private Volume prepared(
            Path device, StageJournal.Entry entry, String wanted, boolean writing, Wish wish, Work work) {
        DeviceFindings findings = filesystems.probe(device, work);
        Optional<Known> known =
                entry.filesystem().filter(FilesystemState::finished).map(it -> new Known(it.type(), it.uuid()));
        Optional<Path> partition =
                findings.isPartitioned() ? filesystems.lastPartition(device, work) : Optional.empty();
        Decision decision = partition
                .map(it -> FormatGuard.decidePartition(filesystems.probe(it, work), known))
                .orElseGet(() -> FormatGuard.decide(new Evidence(
                        findings,
                        born(wish),
                        known,
                        cuts.on(device, entry, work),
                        HostFinding.read(wish.publishContext()))));
        Path place = partition.orElse(device);
        telemetry.deviceDecided(branch(decision));
        log.atInfo()
                .addKeyValue("request", work.requestId())
                .addKeyValue("volume", entry.handle())
                .addKeyValue("device", place)
                .addKeyValue("decision", decision)
                .log("looked at a device before mounting it");
        return switch (decision) {
            case Decision.Format(Emptiness proof) -> {
                if (!writing) {
                    throw new StorageException(new Failure.FormatRefused(
                            entry.handle(), device.toString(), "nothing, and is to be mounted for reading only"));
                }
                shared.refuseFormat(entry, device);
                yield new Volume(device, formatted(device, entry, wanted, proof, work));
            }
            case Decision.Use(String type, Optional<String> uuid) -> {
                partition.ifPresent(it -> protect(it, writing, wish, work));
                if (writing) {
                    filesystems.check(place, type, uuid, born(wish), work);
                }
                note(shared.takeOver(entry, work), FilesystemState.finished(type, uuid), work);
                yield new Volume(place, type);
            }
            case Decision.Refuse refused -> throw refused(entry, place, refused, work);
        };
    }

    /**
     * Returns the refusal. If another file system is there, the entry is written anew, so that it is not given up while
     * the volume is asked for.
     */
    private StorageException refused(StageJournal.Entry entry, Path place, Decision.Refuse refused, Work work) {
        if (refused.reason() != FormatGuard.Reason.ANOTHER_FILESYSTEM) {
            return new StorageException(new Failure.FormatRefused(entry.handle(), place.toString(), refused.found()));
        }
        journal.write(entry, work);
        return new StorageException(new Failure.FilesystemConflict(entry.handle(), place.toString(), refused.found()));
    }

    private static String branch(Decision decision) {
        return switch (decision) {
            case Decision.Format _ -> "format";
            case Decision.Use _ -> "use";
            case Decision.Refuse refused -> refused.reason().name().toLowerCase(Locale.ROOT);
        };
    }

    private String formatted(Path device, StageJournal.Entry entry, String type, Emptiness proof, Work work) {
        if (!filesystems.types().contains(type)) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_capability.mount.fs_type",
                    "'" + type + "' cannot be made on this node (expected: one of "
                            + filesystems.types().stream().sorted().toList() + ")"));
        }
        if (entry.block()) {
            throw new IllegalStateException("a raw device is never formatted");
        }
        Path kept = Optional.ofNullable(entry.facts().get(Attacher.LINK))
                .map(Path::of)
                .orElse(device);
        journal.write(entry.with(FilesystemState.begun(type, kept, filesystems.identity(device, work))), work);
        Optional<String> uuid = filesystems.format(device, type, proof, work);
        journal.write(entry.with(FilesystemState.finished(type, uuid)), work);
        return type;
    }

    private void note(StageJournal.Entry entry, FilesystemState content, Work work) {
        if (entry.filesystem().filter(content::equals).isEmpty()) {
            journal.write(entry.with(content), work);
        }
    }

    private static Born born(Wish wish) {
        return Optional.ofNullable(wish.context().get(CONTENT))
                .map(text -> text.equals("empty") ? Born.EMPTY : Born.COPIED)
                .orElse(Born.UNTOLD);
    }

    /** Grows the file system; a volume that could not be grown is mounted all the same. */
    private void grow(Path device, String type, StageJournal.Entry entry, Work work) {
        try {
            filesystems.grow(device, type, entry.staging(), work);
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", entry.handle())
                    .setCause(e)
                    .log("the file system could not be grown; it is mounted with its former size");
        }
    }
}
