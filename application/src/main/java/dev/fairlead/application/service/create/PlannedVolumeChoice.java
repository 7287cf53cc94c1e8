package dev.fairlead.application.service.create;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Poll;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.application.service.plan.VolumeViews;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyChoice;
import dev.fairlead.domain.topology.TopologyChoice.Choice;
import dev.fairlead.domain.topology.TopologyChoice.ConnectionCandidate;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses among the connections of a class: the one that has the volume already, else the first by topology that has
 * room.
 *
 * <p>With one connection there is nothing to ask. With several, an earlier call may have made the volume on any of
 * them; one that does not answer is passed over, at worst for an orphan that can be collected, never for lost data.
 */
record PlannedVolumeChoice(HandleCodec codec, Telemetry telemetry, Work work) {
    private static final Logger log = LoggerFactory.getLogger(PlannedVolumeChoice.class);

    /** @param others connections on which the volume may have been made earlier, and cannot be made now */
    PlannedVolume choose(
            List<PlannedVolume> plannedVolumes, List<ExistingVolumeLookup> others, CreateVolume.Command command) {
        if (plannedVolumes.size() == 1 && others.isEmpty()) {
            return order(plannedVolumes, command).getFirst();
        }
        var poll = new Poll(work, telemetry, "look for " + command.name());
        // A single connection need not be asked: making the volume there finds one that exists.
        List<ExistingVolumeLookup> all = new ArrayList<>(
                plannedVolumes.size() == 1 ? List.of() : ExistingVolumeLookup.candidates(plannedVolumes));
        all.addAll(others);
        var looked = poll.askAny(
                all,
                ExistingVolumeLookup::use,
                ExistingVolumeLookup::candidate,
                (one, backend) -> one.existing(command, codec, backend, work));
        var found = looked.stream().filter(it -> it.answer().isPresent()).toList();
        return switch (found.size()) {
            case 0 ->
                fresh(plannedVolumes, looked.stream().map(Poll.Answer::asked).toList(), others, command);
            case 1 -> found(found.getFirst().asked(), found.getFirst().answer().orElseThrow(), command);
            default -> throw twice(found);
        };
    }

    private PlannedVolume fresh(
            List<PlannedVolume> plannedVolumes,
            List<ExistingVolumeLookup> answered,
            List<ExistingVolumeLookup> others,
            CreateVolume.Command command) {
        if (plannedVolumes.size() == 1) {
            return order(plannedVolumes, command).getFirst();
        }
        List<PlannedVolume> usable = answered.stream()
                .filter(ExistingVolumeLookup::candidate)
                .flatMap(it -> it.planned().stream())
                .toList();
        if (!usable.isEmpty()) {
            return withRoom(order(usable, command));
        }
        throw others.stream()
                .filter(_ -> plannedVolumes.isEmpty())
                .flatMap(it -> it.refusal().stream())
                .findFirst()
                .orElseGet(() -> new StorageException(new Failure.BackendUnavailable(
                        names(plannedVolumes), "none of them answered when asked for " + command.name())));
    }

    private PlannedVolume found(ExistingVolumeLookup where, StoredVolume volume, CreateVolume.Command command) {
        if (!where.candidate()) {
            telemetry.foundElsewhere(where.use().name());
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("connection", where.use().name())
                    .log(
                            "the volume of {} is here since an earlier call, and could not be made here now",
                            command.name());
        }
        PlannedVolume planned = where.found();
        planned.requireReachable(volume);
        return planned;
    }

    /**
     * Returns the one plan by which the transfer has begun, since what came there would be lost elsewhere; else all
     * plans.
     */
    List<PlannedVolume> begun(List<PlannedVolume> plannedVolumes) {
        if (plannedVolumes.size() <= 1) {
            return plannedVolumes;
        }
        var poll = new Poll(work, telemetry, "look for a transfer");
        List<PlannedVolume> begun = poll
                .ask(
                        plannedVolumes,
                        PlannedVolume::use,
                        (planned, backend) -> backend.store()
                                .transfer()
                                .flatMap((ContentTransfer it) ->
                                        it.receiver().begun(planned.birth().id(), work)))
                .stream()
                .filter(it -> it.answer().isPresent())
                .map(Poll.Answer::asked)
                .toList();
        return begun.size() == 1 ? begun : plannedVolumes;
    }

    private static List<PlannedVolume> order(List<PlannedVolume> plannedVolumes, CreateVolume.Command command) {
        List<ConnectionCandidate<PlannedVolume>> candidates = plannedVolumes.stream()
                .map(planned -> new ConnectionCandidate<>(planned.use().name(), placement(planned), planned))
                .toList();
        return TopologyChoice.order(candidates, command.reach(), command.name().value()).stream()
                .map((Choice<PlannedVolume> choice) -> choice.candidate().subject())
                .toList();
    }

    private PlannedVolume withRoom(List<PlannedVolume> ordered) {
        if (ordered.size() == 1) {
            return ordered.getFirst();
        }
        var poll = new Poll(work, telemetry, "ask for room");
        var rooms = poll.ask(
                ordered,
                PlannedVolume::use,
                (planned, backend) -> backend.store().room(planned.request().parameters(), work));
        return rooms.stream()
                .filter(it -> fits(it.asked(), it.answer()))
                .map(Poll.Answer::asked)
                .findFirst()
                .orElseThrow(() -> new StorageException(noRoom(rooms)));
    }

    private static boolean fits(PlannedVolume planned, Room room) {
        return !most(room).isLessThan(planned.birth().capacity());
    }

    private static Capacity most(Room room) {
        return room.largest().orElse(room.available());
    }

    private static Failure noRoom(List<Poll.Answer<PlannedVolume, Room>> rooms) {
        Capacity wanted = rooms.getFirst().asked().birth().capacity();
        return new Failure.OutOfSpace(
                names(rooms.stream().map(Poll.Answer::asked).toList()),
                wanted + " are wanted, there are "
                        + rooms.stream().map(it -> most(it.answer()).toString()).collect(Collectors.joining(", ")));
    }

    private StorageException twice(List<Poll.Answer<ExistingVolumeLookup, Optional<StoredVolume>>> found) {
        Poll.Answer<ExistingVolumeLookup, Optional<StoredVolume>> first = found.getFirst();
        return new StorageException(new Failure.VolumeConflict(
                handle(first.asked().use(), first.answer().orElseThrow()),
                "it is on several connections: "
                        + found.stream()
                                .map(it -> it.asked().use().name().value())
                                .collect(Collectors.joining(", "))
                        + "; delete all but the one that is in use"));
    }

    private String handle(ConnectionUse use, StoredVolume volume) {
        return new VolumeViews(codec).handle(use.backend(), volume);
    }

    private static Placement placement(PlannedVolume planned) {
        return planned.use().backend().settings().placement();
    }

    private static String names(List<PlannedVolume> plannedVolumes) {
        return plannedVolumes.stream()
                .map(planned -> planned.use().name().value())
                .collect(Collectors.joining(", "));
    }
}
