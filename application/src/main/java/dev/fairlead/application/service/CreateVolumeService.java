package dev.fairlead.application.service;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.in.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Chooses a connection, then makes the volume there. Everything that can be refused is refused before. */
record CreateVolumeService(
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
            List<ConnectionName> names = choice.resolve(connections);
            Optional<Origin> elsewhere = origin.filter(it -> !names.contains(it.connection()));
            if (elsewhere.isPresent()) {
                return carriedOver(command, elsewhere.get(), names, work);
            }
            // Where the class allows its connection, content never leaves it.
            List<ConnectionName> usable =
                    origin.map(it -> List.of(it.connection())).orElse(names);
            Content content = origin.map(Origin::content).orElse(Content.EMPTY);
            try (Leases leases = Leases.ofUsable(usable, connections, telemetry, work)) {
                List<Site> sites = planned(leases.all(), lease -> Site.plan(lease, codec, command, content));
                Site site = new SiteChoice(codec, telemetry, work).choose(sites, command);
                return new VolumeMaking(site, origin, Optional.empty(), locks, work).make(command.source());
            }
        });
    }

    /** The source's lease first, the others then: nobody waits for either. */
    private VolumeView carriedOver(Command command, Origin origin, List<ConnectionName> names, Work work) {
        try (Lease source = connections.lease(origin.connection());
                Leases leases = Leases.ofUsable(names, connections, telemetry, work)) {
            List<Site> sites = planned(leases.all(), lease -> {
                Transfer.requireRoute(source, lease, origin);
                return Site.plan(lease, codec, command, origin.transferred());
            });
            SiteChoice choice = new SiteChoice(codec, telemetry, work);
            Site site = choice.choose(choice.begun(sites), command);
            return turns.taking(
                    List.of(source, site.lease()),
                    () -> new VolumeMaking(site, Optional.of(origin), Optional.of(source), locks, work)
                            .make(command.source()));
        }
    }

    /** Where the request can be had; where nowhere, the first refusal says why. */
    private static List<Site> planned(List<Lease> leases, Function<Lease, Site> plan) {
        List<Site> sites = new ArrayList<>();
        List<StorageException> refusals = new ArrayList<>();
        for (Lease lease : leases) {
            try {
                sites.add(plan.apply(lease));
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
