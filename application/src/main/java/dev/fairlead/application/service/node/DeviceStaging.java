package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.out.node.StageJournal.Content;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.node.VolumeAttacher.Wish;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.Emptiness;
import dev.fairlead.domain.format.FormatGuard;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.domain.format.FormatGuard.Decision;
import dev.fairlead.domain.format.FormatGuard.Evidence;
import dev.fairlead.domain.format.FormatGuard.HostFinding;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an attached device appear at a staging path: as it is, or with its file system, which is made if it is empty.
 */
public record DeviceStaging(Mounter mounter, Filesystems filesystems, StageJournal journal) {
    /** The key of the volume_context that tells what the volume held when it was made. */
    static final String CONTENT = "fairlead.dev/content";

    /** The key of the publish_context under which the storage host tells what it found on the volume. */
    static final String HOST_FINDING = "fairlead.dev/device";

    private static final String USUAL_TYPE = "ext4";
    private static final Logger log = LoggerFactory.getLogger(DeviceStaging.class);

    void stage(Attached.Device device, StageJournal.Entry before, Wish wish, Work work) {
        StageJournal.Entry entry = before.with(device.facts());
        if (!entry.equals(before)) {
            journal.write(entry, work);
        }
        Path staging = entry.staging();
        switch (wish.capability().access()) {
            case VolumeCapability.Block() ->
                mounter.bindDevice(device.path(), StagingPaths.device(staging), List.of(), work);
            case VolumeCapability.Mount mount -> mount(device.path(), entry, mount, wish, work);
        }
    }

    private void mount(Path device, StageJournal.Entry entry, VolumeCapability.Mount mount, Wish wish, Work work) {
        Optional<Mounter.MountEntry> mounted = mounter.at(entry.staging(), work);
        String type = mounted.isPresent()
                ? mounted.get().fsType()
                : prepared(device, entry, mount.fsType().isEmpty() ? USUAL_TYPE : mount.fsType(), wish, work);
        Set<String> options = new LinkedHashSet<>(mount.flags());
        options.addAll(filesystems.mountOptions(type));
        mounter.mount(Filesystem.of(type, device.toString(), List.copyOf(options)), entry.staging(), work);
        if (!options.contains("ro")) {
            grow(device, type, entry, work);
        }
    }

    /** Returns the type of the file system on a device, which is made if the device is proved empty. */
    private String prepared(Path device, StageJournal.Entry entry, String wanted, Wish wish, Work work) {
        DeviceFindings findings = filesystems.probe(device, work);
        Optional<Content> known = entry.filesystem();
        Decision decision = FormatGuard.decide(new Evidence(
                findings,
                born(wish),
                known.map(Content::type),
                known.filter(it -> !it.finished()).isPresent(),
                hostFinding(wish)));
        log.atInfo()
                .addKeyValue("request", work.requestId())
                .addKeyValue("volume", entry.handle())
                .addKeyValue("device", device)
                .addKeyValue("decision", decision)
                .log("looked at a device before mounting it");
        return switch (decision) {
            case Decision.Format(Emptiness proof) -> formatted(device, entry, wanted, proof, work);
            case Decision.Use(String type, Optional<String> uuid) -> {
                note(entry, new Content(type, uuid, true), work);
                yield type;
            }
            case Decision.Refuse refused ->
                throw new StorageException(
                        new Failure.FormatRefused(entry.handle(), device.toString(), refused.found()));
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
        journal.write(entry.with(new Content(type, Optional.empty(), false)), work);
        Optional<String> uuid = filesystems.format(device, type, proof, work);
        journal.write(entry.with(new Content(type, uuid, true)), work);
        return type;
    }

    private void note(StageJournal.Entry entry, Content content, Work work) {
        if (entry.filesystem().filter(content::equals).isEmpty()) {
            journal.write(entry.with(content), work);
        }
    }

    private static Born born(Wish wish) {
        return Optional.ofNullable(wish.context().get(CONTENT))
                .map(text -> text.equals("empty") ? Born.EMPTY : Born.COPIED)
                .orElse(Born.UNTOLD);
    }

    private static Optional<HostFinding> hostFinding(Wish wish) {
        return Optional.ofNullable(wish.publishContext().get(HOST_FINDING))
                .map(text -> text.equals("blank") ? HostFinding.BLANK : HostFinding.WRITTEN);
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
