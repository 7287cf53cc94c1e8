package dev.fairlead.application.service.create;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.application.port.out.cluster.Whereabouts.Place;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.TopologyChoice;
import java.util.List;
import java.util.Optional;

/** Holds what the claim of a wanted volume says of the node; it counts for storage of the node's own only. */
record NamedNode(Optional<Claim> claim, Optional<Place> place) {
    static final NamedNode NONE = new NamedNode(Optional.empty(), Optional.empty());

    /** Asks for the claim if one of the connections has storage of the node's own. */
    static NamedNode of(CreateVolume.Command command, List<ConnectionUse> uses, Whereabouts whereabouts, Work work) {
        if (uses.stream().noneMatch(NamedNode::isNodesOwn)) {
            return NONE;
        }
        Optional<Claim> claim = Claim.of(command.parameters());
        return new NamedNode(claim, claim.flatMap(it -> whereabouts.ofClaim(it, work.left())));
    }

    /** Returns the command; one that says nothing of the place is for this node if its claim names a node. */
    CreateVolume.Command placed(CreateVolume.Command command, ConnectionUse use) {
        if (place.isEmpty() || !command.reach().isNone() || !isNodesOwn(use)) {
            return command;
        }
        return new CreateVolume.Command(
                command.name(),
                command.capacity(),
                command.capabilities(),
                command.parameters(),
                command.source(),
                new AccessibilityRequirement(
                        List.of(),
                        TopologyChoice.reported(use.backend().settings().placement())),
                command.mutable());
    }

    /** Refuses to make a volume here whose claim names another node; one that is here already is answered. */
    void check(PlannedVolume planned, AbsentSource turns, Work work) {
        if (place.isPresent()
                && place.get() instanceof Place.Elsewhere elsewhere
                && isNodesOwn(planned.use())
                && planned.use()
                        .read(work, "look for " + planned.request().name(), _ -> planned.existing(work))
                        .isEmpty()) {
            throw new StorageException(new Failure.ClaimElsewhere(
                    claim.orElseThrow().toString(), elsewhere.witness(), turns.next(elsewhere, claim, work)));
        }
    }

    private static boolean isNodesOwn(ConnectionUse use) {
        return use.backend().store().isNodesOwn();
    }
}
