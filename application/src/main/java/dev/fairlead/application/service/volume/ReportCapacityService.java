package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.application.service.connection.ConnectionChoice;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.connection.Poll;
import dev.fairlead.application.service.plan.ConnectionUses;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.TopologyChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reports the room of the connection that a class would use, or of all connections if the parameters choose none. One
 * that does not answer in time has the room that it told in the last minute.
 */
public final class ReportCapacityService implements ReportCapacity {
    private static final Room EMPTY = new Room(Capacity.ZERO, Optional.empty());
    private static final Result NOTHING = new Result(Capacity.ZERO, Optional.empty());

    private final Connections connections;
    private final Optional<ConnectionName> only;
    private final Telemetry telemetry;
    private final KeptRooms recent = new KeptRooms(System::nanoTime);

    public ReportCapacityService(Connections connections, Optional<ConnectionName> only, Telemetry telemetry) {
        this.connections = connections;
        this.only = only;
        this.telemetry = telemetry;
    }

    @Override
    public Result report(Command command, Work work) {
        Optional<ConnectionChoice> choice = ConnectionChoice.read(command.parameters(), only);
        List<ConnectionName> names =
                choice.map(it -> it.resolve(connections)).orElseGet(() -> List.copyOf(connections.names()));
        if (names.isEmpty()) {
            return NOTHING;
        }
        try (ConnectionUses uses = ConnectionUses.ofUsable(names, connections, telemetry, work)) {
            List<ConnectionUse> fitting =
                    uses.all().stream().filter(use -> fits(use, command)).toList();
            if (fitting.isEmpty()) {
                return NOTHING;
            }
            List<Room> rooms = rooms(fitting, command, work);
            return choice.isPresent() ? largest(rooms) : sum(rooms);
        }
    }

    private List<Room> rooms(List<ConnectionUse> fitting, Command command, Work work) {
        List<Room> rooms = new ArrayList<>();
        List<ConnectionUse> silent = new ArrayList<>(fitting);
        Optional<StorageException> failure = Optional.empty();
        try {
            for (Poll.Answer<ConnectionUse, Room> answer : new Poll(work, telemetry, "ask for room")
                    .ask(fitting, use -> use, (_, backend) -> room(backend, command, work))) {
                rooms.add(answer.answer());
                silent.remove(answer.asked());
            }
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.Cancelled) {
                throw e;
            }
            failure = Optional.of(e);
        }
        for (ConnectionUse use : silent) {
            recent.of(use.backend(), command.parameters()).ifPresent(rooms::add);
        }
        if (failure.isEmpty() || !rooms.isEmpty()) {
            return rooms;
        }
        if (isOutOfReach(failure.get().failure())
                && fitting.stream().allMatch(use -> use.backend().store().isNodesOwn())) {
            return List.of(EMPTY);
        }
        throw failure.get();
    }

    private Room room(Backend backend, Command command, Work work) {
        return recent.ask(
                backend,
                command.parameters(),
                () -> backend.store().room(PlannedVolume.parameters(backend, command.parameters()), work));
    }

    /**
     * Returns whether a failure says that nothing can be made now. The provisioner keeps the last answer when it gets
     * none, and the scheduler would go on choosing a node whose disk is gone.
     */
    private static boolean isOutOfReach(Failure failure) {
        return failure instanceof Failure.BackendUnavailable
                || failure instanceof Failure.BackendRejected
                || failure instanceof Failure.StorageReadOnly
                || failure instanceof Failure.PoolInVolume
                || failure instanceof Failure.TimedOut;
    }

    private static boolean fits(ConnectionUse use, Command command) {
        BackendSettings settings = use.backend().settings();
        return command.where()
                        .map(where -> TopologyChoice.reaches(settings.placement(), where))
                        .orElse(true)
                && settings.capabilities().objection(command.capabilities()).isEmpty();
    }

    private static Result largest(List<Room> rooms) {
        Room most = rooms.stream()
                .max(Comparator.comparing(ReportCapacityService::volume))
                .orElseThrow();
        return new Result(most.available(), most.largest());
    }

    /**
     * Adds up the room of all connections; the largest volume is that of one connection, since no volume spans several.
     */
    private static Result sum(List<Room> rooms) {
        Capacity all = rooms.stream().map(Room::available).reduce(Capacity.ZERO, ReportCapacityService::plus);
        Optional<Capacity> largest =
                rooms.stream().map(ReportCapacityService::volume).max(Comparator.naturalOrder());
        return new Result(all, largest);
    }

    private static Capacity volume(Room room) {
        return room.largest().orElse(room.available());
    }

    private static Capacity plus(Capacity a, Capacity b) {
        long sum = a.bytes() + b.bytes();
        return Capacity.ofBytes(sum < 0 ? Long.MAX_VALUE : sum);
    }
}
