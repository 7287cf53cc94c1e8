package dev.fairlead.application.service.create;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.ConnectionChoice;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.plan.ConnectionUses;
import dev.fairlead.application.service.plan.ContentSource;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.application.service.transfer.Transfer;
import dev.fairlead.application.service.transfer.TransferTurns;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Chooses a connection, then makes the volume there. Everything that can be refused is refused before. */
public record CreateVolumeService(
        Connections connections,
        HandleCodec codec,
        KeyedLocks locks,
        Optional<ConnectionName> only,
        Telemetry telemetry,
        AbsentSource absent,
        TransferTurns turns)
        implements CreateVolume {
    @Override
    public VolumeView create(Command command, Work work) {
        Optional<ContentSource> contentSource = ContentSource.of(command.source(), codec);
        ConnectionChoice choice = ConnectionChoice.require(command.parameters(), only);
        try {
            return locks.exclusively(
                    LockKey.volumeName(command.name()), work, () -> createOnAny(command, contentSource, choice, work));
        } catch (StorageException thrown) {
            throw contentSource
                    .map(it -> absent.explained(thrown, it, command.parameters(), work))
                    .orElse(thrown);
        }
    }

    /** Creates the volume on one of the connections that the class allows, or that it allowed formerly. */
    private VolumeView createOnAny(
            Command command, Optional<ContentSource> contentSource, ConnectionChoice choice, Work work) {
        List<ConnectionName> names = choice.resolve(connections);
        // If the class allows the connection of the content, the volume is made there, and nothing is transferred.
        List<ConnectionName> usable = contentSource
                .map(ContentSource::connection)
                .filter(names::contains)
                .map(List::of)
                .orElse(names);
        List<ConnectionName> others = choice.formerly(connections).stream()
                .filter(name -> !usable.contains(name))
                .toList();
        try (ConnectionUses source = ConnectionUses.ofSource(contentSource, connections);
                ConnectionUses uses = ConnectionUses.ofUsable(usable, connections, telemetry, work);
                ConnectionUses former = ConnectionUses.ofOthers(others, connections, telemetry, work)) {
            Optional<ConnectionUse> from = source.all().stream().findFirst();
            // Content is where it is, whatever the claim names.
            boolean claims = contentSource.isEmpty() && !absent.whereabouts().equals(Whereabouts.NONE);
            Optional<NamedNode> named = claims
                    ? Optional.of(NamedNode.of(command, uses.all(), absent.whereabouts(), work))
                    : Optional.empty();
            Function<ConnectionUse, PlannedVolume> plan =
                    use -> plan(named.map(it -> it.placed(command, use)).orElse(command), contentSource, from, use);
            boolean several = usable.size() + others.size() > 1;
            List<ExistingVolumeLookup> asked = new ArrayList<>();
            List<PlannedVolume> plannedVolumes = planned(uses.all(), plan, several, asked);
            former.all().forEach(use -> asked.add(ExistingVolumeLookup.former(use, plan)));
            PlannedVolumeChoice chooser = new PlannedVolumeChoice(codec, telemetry, work);
            List<PlannedVolume> begun =
                    isTransferred(contentSource, usable) ? chooser.begun(plannedVolumes) : plannedVolumes;
            List<PlannedVolume> allowed =
                    named.map(it -> it.allowed(begun, asked, absent, work)).orElse(begun);
            PlannedVolume planned = chooser.choose(allowed, asked, command).asBegun(work);
            named.ifPresent(it -> it.check(planned, absent, work));
            return create(command, planned, contentSource, from, work);
        }
    }

    private VolumeView create(
            Command command,
            PlannedVolume planned,
            Optional<ContentSource> contentSource,
            Optional<ConnectionUse> from,
            Work work) {
        if (!isTransferred(contentSource, List.of(planned.use().name()))) {
            return new VolumeCreation(planned, command.source(), contentSource, Optional.empty(), locks).create(work);
        }
        return turns.taking(
                List.of(from.orElseThrow(), planned.use()),
                () -> new VolumeCreation(planned, command.source(), contentSource, from, locks).create(work));
    }

    private static boolean isTransferred(Optional<ContentSource> contentSource, List<ConnectionName> to) {
        return contentSource.filter(it -> !to.contains(it.connection())).isPresent();
    }

    private PlannedVolume plan(
            Command command, Optional<ContentSource> contentSource, Optional<ConnectionUse> source, ConnectionUse use) {
        if (!isTransferred(contentSource, List.of(use.name()))) {
            return PlannedVolume.plan(
                    use,
                    codec,
                    command,
                    contentSource.map(ContentSource::content).orElse(Content.EMPTY));
        }
        Transfer.requireRoute(source.orElseThrow(), use, contentSource.orElseThrow());
        return PlannedVolume.plan(
                use, codec, command, contentSource.orElseThrow().transferred());
    }

    /**
     * Returns the plans of those connections that accept the request. A refusal is thrown if there is only one
     * connection; else it is added to {@code refused}, since the volume may have been made there earlier.
     */
    private static List<PlannedVolume> planned(
            List<ConnectionUse> uses,
            Function<ConnectionUse, PlannedVolume> plan,
            boolean several,
            List<ExistingVolumeLookup> refused) {
        List<PlannedVolume> plannedVolumes = new ArrayList<>();
        for (ConnectionUse use : uses) {
            try {
                plannedVolumes.add(plan.apply(use));
            } catch (StorageException refusal) {
                if (!several) {
                    throw refusal;
                }
                refused.add(ExistingVolumeLookup.refused(use, refusal));
            }
        }
        return plannedVolumes;
    }
}
