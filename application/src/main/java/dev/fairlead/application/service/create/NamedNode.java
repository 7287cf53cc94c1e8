package dev.fairlead.application.service.create;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.application.port.out.cluster.Whereabouts.Place;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyChoice;
import java.util.List;
import java.util.Optional;

/**
 * Holds what the claim of a wanted volume says of the node; it counts for storage of the node's own only.
 *
 * @param untold why the claim says nothing that can be used; nobody repeats the call after that, so it is told only
 *     once it is known that the volume is not there
 */
record NamedNode(Optional<Claim> claim, Optional<Place> place, Optional<StorageException> untold) {
    static final NamedNode NONE = new NamedNode(Optional.empty(), Optional.empty(), Optional.empty());

    /** Asks for the claim if one of the connections has storage of the node's own. */
    static NamedNode of(CreateVolume.Command command, List<ConnectionUse> uses, Whereabouts whereabouts, Work work) {
        if (uses.stream().noneMatch(NamedNode::isNodesOwn)) {
            return NONE;
        }
        Optional<Claim> claim = Claim.of(command.parameters());
        try {
            return new NamedNode(claim, claim.flatMap(it -> whereabouts.ofClaim(it, work.left())), Optional.empty());
        } catch (StorageException e) {
            if (!FinalCodes.isFinal(e.failure())) {
                throw e;
            }
            return new NamedNode(claim, Optional.empty(), Optional.of(e));
        }
    }

    /** Returns the command; one that says nothing of the place is for this node if its claim names a node. */
    CreateVolume.Command placed(CreateVolume.Command command, ConnectionUse use) {
        boolean says = place.isPresent() || untold.isPresent();
        if (!says || !command.reach().isNone() || !isNodesOwn(use)) {
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

    /**
     * Refuses to make a volume here whose claim names another node, or names none and did not wait for its pod's; one
     * that is here already is answered.
     */
    void check(PlannedVolume planned, AbsentSource turns, Work work) {
        if (!isNodesOwn(planned.use())) {
            return;
        }
        Optional<Place.Elsewhere> elsewhere =
                place.filter(Place.Elsewhere.class::isInstance).map(Place.Elsewhere.class::cast);
        Optional<StorageException> refusal =
                elsewhere.isPresent() || untold.isPresent() ? untold : unplaced(planned, turns.whereabouts(), work);
        if ((elsewhere.isEmpty() && refusal.isEmpty()) || isThere(planned, work)) {
            return;
        }
        throw refusal.orElseGet(() -> new StorageException(new Failure.ClaimElsewhere(
                claim.orElseThrow().toString(),
                elsewhere.orElseThrow().witness(),
                turns.next(elsewhere.orElseThrow(), claim, work))));
    }

    /**
     * Returns the plans of which one may be made: those on storage that every node reaches, if any, where one of the
     * node's own disks would be refused. Others would be for the node that nobody chose as well.
     *
     * @param asked gets what is left out, since the volume may have been made there earlier
     */
    List<PlannedVolume> allowed(
            List<PlannedVolume> planned, List<ExistingVolumeLookup> asked, AbsentSource turns, Work work) {
        Optional<PlannedVolume> its = planned.stream()
                .filter(it -> it.use().backend().store().isForOneNode(it.request()))
                .findFirst();
        List<PlannedVolume> free = planned.stream()
                .filter(it -> it.use().backend().settings().placement().equals(Placement.ANYWHERE))
                .toList();
        if (free.isEmpty() || its.isEmpty() || untold.isPresent()) {
            return planned;
        }
        Optional<StorageException> refusal = unplaced(its.get(), turns.whereabouts(), work);
        if (refusal.isEmpty()) {
            return planned;
        }
        planned.stream()
                .filter(it -> !free.contains(it))
                .forEach(it -> asked.add(new ExistingVolumeLookup(it.use(), false, Optional.of(it), refusal)));
        return free;
    }

    /** Returns why the volume is not made if the node is a guess of the provisioner's, and not that of the pod. */
    private Optional<StorageException> unplaced(PlannedVolume planned, Whereabouts whereabouts, Work work) {
        boolean asks = place.isEmpty() && planned.use().backend().store().isForOneNode(planned.request());
        return claim.filter(_ -> asks)
                .flatMap(it -> whereabouts
                        .boundAtOnce(it, work.left())
                        .map(its -> new Failure.ClaimUnplaced(it.toString(), its)))
                .map(StorageException::new);
    }

    private static boolean isThere(PlannedVolume planned, Work work) {
        return planned.use()
                .read(work, "look for " + planned.request().name(), _ -> planned.existing(work))
                .isPresent();
    }

    private static boolean isNodesOwn(ConnectionUse use) {
        return use.backend().store().isNodesOwn();
    }
}
