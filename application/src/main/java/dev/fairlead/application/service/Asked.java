package dev.fairlead.application.service;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.work.Work;
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
 * A connection that is asked for the volume of a name, since an earlier call may have made it there.
 *
 * @param candidate whether the class leads there now, and the volume could be made there
 * @param refusal why it could not be made there now, where that is so
 */
record Asked(Lease lease, boolean candidate, Optional<Site> site, Optional<StorageException> refusal) {
    static Asked candidate(Site site) {
        return new Asked(site.lease(), true, Optional.of(site), Optional.empty());
    }

    /** One that the class does not lead to now. */
    static Asked former(Lease lease, Function<Lease, Site> plan) {
        try {
            return new Asked(lease, false, Optional.of(plan.apply(lease)), Optional.empty());
        } catch (StorageException refusal) {
            return refused(lease, refusal);
        }
    }

    static Asked refused(Lease lease, StorageException refusal) {
        return new Asked(lease, false, Optional.empty(), Optional.of(refusal));
    }

    /** Where the class does not lead, an id may be another volume's by chance: the name has to be noted too. */
    Optional<StoredVolume> existing(CreateVolume.Command command, HandleCodec codec, Backend backend, Work work) {
        Optional<StoredVolume> found = site.isPresent()
                ? site.get().existing(work)
                : ids(command, codec).stream()
                        .flatMap(id -> backend.store().findToMake(id, work).stream())
                        .findFirst();
        return found.filter(volume -> candidate || volume.name().equals(Optional.of(command.name())));
    }

    private List<NativeId> ids(CreateVolume.Command command, HandleCodec codec) {
        IdPolicy policy = lease.backend().settings().idPolicy();
        int overhead = codec.overhead(lease.name());
        try {
            Map<String, String> parameters = Site.parameters(lease.backend(), command.parameters());
            return Stream.concat(
                            policy.peersIdFor(command.name(), parameters, overhead).stream(),
                            Stream.of(policy.idFor(command.name(), parameters, overhead)))
                    .toList();
        } catch (StorageException _) {
            return List.of(); // it gives no volume of this name an id, so there is none
        }
    }

    /** The site where the volume is; where that refuses it now, the caller is to come again. */
    Site found() {
        return site.orElseThrow(() -> new StorageException(new Failure.BackendUnavailable(
                lease.name().value(),
                "the volume is there since an earlier call, and could not be made there now: "
                        + refusal.orElseThrow().failure().message()
                        + "; let the connection and the class be as they were, or delete the claim and the volume")));
    }

    static List<Asked> candidates(List<Site> sites) {
        return sites.stream().map(Asked::candidate).toList();
    }
}
