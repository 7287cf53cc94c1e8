package dev.fairlead.application.service.create;

import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.application.port.out.cluster.Whereabouts.Place;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.plan.ContentSource;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import java.util.Map;
import java.util.Optional;

/**
 * Distinguishes content on another node from content that does not exist: after the former failure the caller tries
 * another node, after the latter it gives up.
 */
public record AbsentSource(Whereabouts whereabouts) {
    /**
     * Returns the failure, or {@code SourceElsewhere} if it says that this origin is not here and another node has it.
     */
    StorageException explained(
            StorageException thrown, ContentSource contentSource, Map<String, String> parameters, Work work) {
        // A node's storage in which no volume was ever made answers BackendUnavailable, since it cannot tell that the
        // content is absent.
        boolean notHere = thrown.failure().equals(contentSource.notFound().failure())
                || thrown.failure() instanceof Failure.BackendUnavailable;
        if (!notHere) {
            return thrown;
        }
        return switch (place(contentSource, work)) {
            case Place.NowhereElse() -> thrown;
            case Place.Elsewhere elsewhere ->
                new StorageException(
                        new Failure.SourceElsewhere(
                                contentSource.handle(),
                                elsewhere.witness(),
                                next(elsewhere, Claim.of(parameters), work)),
                        thrown);
        };
    }

    private Place place(ContentSource contentSource, Work work) {
        return contentSource.content() instanceof Content.OfSnapshot
                ? whereabouts.ofSnapshot(contentSource.handle(), work.left())
                : whereabouts.ofVolume(contentSource.handle(), work.left());
    }

    /** Turns a claim to the node where its volume can be, if that is possible, and says what happens now. */
    String next(Place.Elsewhere elsewhere, Optional<Claim> claim, Work work) {
        if (elsewhere.node().isEmpty()) {
            return "the scheduler chooses another one";
        }
        String node = elsewhere.node().get();
        boolean turned = claim.isPresent() && whereabouts.turn(claim.get(), node, work.left());
        return turned
                ? "the claim goes to " + node + ", and the scheduler moves its pod there"
                : "the scheduler chooses again, until it comes upon " + node;
    }
}
