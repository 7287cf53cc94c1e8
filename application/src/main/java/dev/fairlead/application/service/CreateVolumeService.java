package dev.fairlead.application.service;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.in.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses a connection, then makes the volume there. Everything that can be refused is refused before. */
record CreateVolumeService(
        Connections connections,
        HandleCodec codec,
        KeyedLocks locks,
        Optional<ConnectionName> only,
        Telemetry telemetry,
        AbsentSource absent)
        implements CreateVolume {
    @Override
    public VolumeView create(Command command, Work work) {
        Optional<Origin> origin = Origin.of(command.source(), codec);
        ConnectionChoice choice = ConnectionChoice.require(command.parameters(), only);
        try {
            return create(command, origin, choice, work);
        } catch (StorageException thrown) {
            throw origin.map(it -> absent.explained(thrown, it, command.parameters(), work))
                    .orElse(thrown);
        }
    }

    private VolumeView create(Command command, Optional<Origin> origin, ConnectionChoice choice, Work work) {
        return locks.exclusively(Key.volumeName(command.name()), work, () -> {
            List<ConnectionName> names = holding(origin, choice.resolve(connections));
            try (Leases leases = Leases.ofUsable(names, connections, telemetry, work)) {
                List<Site> sites = planned(leases.all(), command, origin);
                Site site = new SiteChoice(codec, telemetry, work).choose(sites, command);
                return new VolumeMaking(site, origin, locks, work).make(command.source());
            }
        });
    }

    /** Content never leaves its connection. */
    private static List<ConnectionName> holding(Optional<Origin> origin, List<ConnectionName> names) {
        if (origin.isEmpty()) {
            return names;
        }
        ConnectionName there = origin.get().connection();
        if (!names.contains(there)) {
            throw new StorageException(new Failure.Unsupported(
                    "the content source " + origin.get().handle() + " is on connection " + there
                            + ", and the StorageClass allows " + names + " only",
                    "use a class that allows " + there));
        }
        return List.of(there);
    }

    /** Where the request can be had; where nowhere, the first refusal says why. */
    private List<Site> planned(List<Lease> leases, Command command, Optional<Origin> origin) {
        List<Site> sites = new ArrayList<>();
        List<StorageException> refusals = new ArrayList<>();
        for (Lease lease : leases) {
            try {
                sites.add(Site.plan(
                        lease, codec, command, origin.map(Origin::content).orElse(Content.EMPTY)));
            } catch (StorageException refusal) {
                refusals.add(refusal);
            }
        }
        if (sites.isEmpty()) {
            throw refusals.getFirst();
        }
        return sites;
    }
}
