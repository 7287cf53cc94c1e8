package dev.fairlead.application.service.health;

import dev.fairlead.application.port.in.node.ReportHealth;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.node.Attachers;
import dev.fairlead.application.service.node.StagingPaths;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthRules;
import dev.fairlead.domain.health.VolumeHealth;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at the volumes of this node, and tells how they are. */
public final class ReportHealthService implements ReportHealth {
    private static final String OTHER = "other";

    private final NodePorts ports;
    private final HandleCodec codec;
    private final StagedMounts staged;
    private final MissingMounts missing;
    private final VolumeHealthLook look;
    private final ReadUsages usages;
    private volatile Optional<List<Report>> last = Optional.empty();

    public ReportHealthService(
            NodePorts ports, HandleCodec codec, HealthSettings settings, ServerSilence silence, ReadUsages usages) {
        Attachers attachers = new Attachers(ports.attachers());
        this.ports = ports;
        this.codec = codec;
        this.staged = new StagedMounts(ports, attachers, new StagingPaths(settings.drivers()), settings.handles());
        this.missing = new MissingMounts(settings.handles());
        this.look = new VolumeHealthLook(attachers, silence, ports.mounter());
        this.usages = usages;
    }

    @Override
    public VolumeHealth ofVolume(String handle, List<Path> places, Work work) {
        Optional<StageJournal.Entry> entry = ports.journal().of(handle);
        List<Path> wanted = places.isEmpty()
                ? entry.map(StageJournal.Entry::staging).stream().toList()
                : places;
        List<MountEntry> mounts =
                wanted.stream().flatMap(it -> mounted(it, work).stream()).toList();
        Optional<MountEntry> mount = mounts.stream().findFirst();
        if (mount.isEmpty() && entry.isEmpty() && codec.volume(handle).isEmpty()) {
            throw new StorageException(new Failure.VolumeNotFound(handle));
        }
        if (wanted.isEmpty()) {
            return VolumeHealth.GOOD; // nobody says that it should be mounted on this node
        }
        Optional<Attachment> attachment =
                entry.map(StageJournal.Entry::attachment).or(() -> mount.flatMap(it -> staged.recognised(it, work)));
        VolumeHealth health = look.at(wanted.getFirst().toString(), mount, attachment, work);
        return mounts.stream()
                .flatMap(it -> usages.outdated(handle, it).stream())
                .findFirst()
                .map(health::with)
                .orElse(health);
    }

    private Optional<MountEntry> mounted(Path place, Work work) {
        return ports.mounter().at(place, work).or(() -> ports.mounter().at(StagingPaths.device(place), work));
    }

    @Override
    public List<HealthCondition> ofStorage(Work work) {
        Map<String, VolumeHealth> volumes = new LinkedHashMap<>();
        last.orElseGet(() -> ofAll(work)).forEach(it -> volumes.put(it.subject(), it.health()));
        return HealthRules.ofStorage(volumes);
    }

    @Override
    public List<Report> ofAll(Work work) {
        List<Report> reports = new ArrayList<>();
        List<StagedMounts.StagedMount> mounted = staged.all(work);
        for (StagedMounts.StagedMount volume : mounted) {
            reports.add(report(volume, Optional.of(volume.mount()), volume.attachment(), work));
        }
        missing.after(mounted).forEach((volume, looks) -> {
            if (looks == 1) {
                before(volume.subject()).ifPresent(reports::add); // nothing of it has begun or is over yet
            } else {
                reports.add(report(volume, Optional.empty(), Optional.empty(), work));
            }
        });
        last = Optional.of(List.copyOf(reports));
        return reports;
    }

    private Optional<Report> before(String subject) {
        return last.orElse(List.of()).stream()
                .filter(it -> it.subject().equals(subject))
                .findFirst();
    }

    private Report report(
            StagedMounts.StagedMount volume, Optional<MountEntry> mount, Optional<Attachment> attachment, Work work) {
        return new Report(
                volume.subject(),
                volume.attachment().map(ReportHealthService::protocol).orElse(OTHER),
                look.at(volume.mount().mountPoint(), mount, attachment, work));
    }

    private static String protocol(Attachment attachment) {
        return AttachmentCodec.encode(attachment).getOrDefault(AttachmentCodec.NODE_ATTACH_DRIVER, OTHER);
    }
}
