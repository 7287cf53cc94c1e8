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
            // If the class allows the connection of the content, the volume is made there, and nothing is
            // transferred.
            List<ConnectionName> usable = origin.map(Origin::connection)
                    .filter(names::contains)
                    .map(List::of)
                    .orElse(names);
            List<ConnectionName> others = choice.formerly(connections).stream()
                    .filter(name -> !usable.contains(name))
                    .toList();
            return create(command, origin, usable, others, work);
        });
    }

    /**
     * Leases the source's connection, then the others, and makes the volume at the chosen site; a lease is never waited
     * for.
     */
    private VolumeView create(
            Command command,
            Optional<Origin> origin,
            List<ConnectionName> usable,
            List<ConnectionName> others,
            Work work) {
        try (Leases source = Leases.ofSource(origin, connections);
                Leases leases = Leases.ofUsable(usable, connections, telemetry, work);
                Leases former = Leases.ofOthers(others, connections, telemetry, work)) {
            Optional<Lease> from = source.all().stream().findFirst();
            Function<Lease, Site> plan = lease -> plan(command, origin, from, lease);
            boolean several = usable.size() + others.size() > 1;
            List<Asked> asked = new ArrayList<>();
            List<Site> sites = planned(leases.all(), plan, several, asked);
            former.all().forEach(lease -> asked.add(Asked.former(lease, plan)));
            SiteChoice choice = new SiteChoice(codec, telemetry, work);
            List<Site> begun = isCarriedOver(origin, usable) ? choice.begun(sites) : sites;
            Site site = choice.choose(begun, asked, command).asBegun(work);
            if (!isCarriedOver(origin, List.of(site.lease().name()))) {
                return new VolumeMaking(site, origin, Optional.empty(), locks, work).make(command.source());
            }
            return turns.taking(
                    List.of(from.orElseThrow(), site.lease()),
                    () -> new VolumeMaking(site, origin, from, locks, work).make(command.source()));
        }
    }

    private static boolean isCarriedOver(Optional<Origin> origin, List<ConnectionName> to) {
        return origin.filter(it -> !to.contains(it.connection())).isPresent();
    }

    private Site plan(Command command, Optional<Origin> origin, Optional<Lease> source, Lease lease) {
        if (!isCarriedOver(origin, List.of(lease.name()))) {
            return Site.plan(lease, codec, command, origin.map(Origin::content).orElse(Content.EMPTY));
        }
        Transfer.requireRoute(source.orElseThrow(), lease, origin.orElseThrow());
        return Site.plan(lease, codec, command, origin.orElseThrow().transferred());
    }

    /**
     * Returns the sites that accept the request. A refusal is thrown if there is only one connection; else it is added
     * to {@code refused}, since the volume may have been made there earlier.
     */
    private static List<Site> planned(
            List<Lease> leases, Function<Lease, Site> plan, boolean several, List<Asked> refused) {
        List<Site> sites = new ArrayList<>();
        for (Lease lease : leases) {
            try {
                sites.add(plan.apply(lease));
            } catch (StorageException refusal) {
                if (!several) {
                    throw refusal;
                }
                refused.add(Asked.refused(lease, refusal));
            }
        }
        return sites;
    }
}
