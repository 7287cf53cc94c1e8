package dev.fairlead.application.service.create;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Asks one connection whether an earlier call made the volume there.
 *
 * @param candidate whether the class allows it now, and the volume could be made there
 * @param refusal why the volume could not be made there now, if it could not
 */
record ExistingVolumeLookup(
        ConnectionUse use, boolean candidate, Optional<PlannedVolume> planned, Optional<StorageException> refusal) {
    static ExistingVolumeLookup candidate(PlannedVolume planned) {
        return new ExistingVolumeLookup(planned.use(), true, Optional.of(planned), Optional.empty());
    }

    /** Makes an entry for a connection that the class does not allow now. */
    static ExistingVolumeLookup former(ConnectionUse use, Function<ConnectionUse, PlannedVolume> plan) {
        try {
            return new ExistingVolumeLookup(use, false, Optional.of(plan.apply(use)), Optional.empty());
        } catch (StorageException refusal) {
            return refused(use, refusal);
        }
    }

    static ExistingVolumeLookup refused(ConnectionUse use, StorageException refusal) {
        return new ExistingVolumeLookup(use, false, Optional.empty(), Optional.of(refusal));
    }

    /**
     * Returns the volume that an earlier call made here for the command, if any. If the class does not allow the
     * connection now, the volume's noted name has to match too, since another volume may have the id by chance.
     */
    Optional<StoredVolume> existing(CreateVolume.Command command, HandleCodec codec, Backend backend, Work work) {
        Optional<StoredVolume> found = planned.isPresent()
                ? planned.get().existing(work)
                : ids(command, codec).stream()
                        .flatMap(id -> backend.store().findToMake(id, work).stream())
                        .findFirst();
        return found.filter(volume -> candidate || volume.name().equals(Optional.of(command.name())));
    }

    private List<NativeId> ids(CreateVolume.Command command, HandleCodec codec) {
        IdPolicy policy = use.backend().settings().idPolicy();
        int overhead = codec.overhead(use.name());
        try {
            Map<String, String> parameters = PlannedVolume.parameters(use.backend(), command.parameters());
            return Stream.concat(
                            policy.peersIdFor(command.name(), parameters, overhead).stream(),
                            Stream.of(policy.idFor(command.name(), parameters, overhead)))
                    .toList();
        } catch (StorageException _) {
            return List.of(); // the connection gives no id to a volume of this name, so it has none
        }
    }

    /** Returns the plan of the volume; throws {@code BackendUnavailable} if the volume could not be made there now. */
    PlannedVolume found() {
        return planned.orElseThrow(() -> new StorageException(new Failure.BackendUnavailable(
                use.name().value(),
                "the volume is there since an earlier call, and could not be made there now: "
                        + refusal.orElseThrow().failure().message()
                        + "; let the connection and the class be as they were, or delete the claim and the volume")));
    }

    static List<ExistingVolumeLookup> candidates(List<PlannedVolume> plannedVolumes) {
        return plannedVolumes.stream().map(ExistingVolumeLookup::candidate).toList();
    }
}
