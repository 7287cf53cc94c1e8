package dev.fairlead.application.service.create;

import static dev.fairlead.application.service.ControllerFixture.command;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A driver that sees one node's storage is asked for content that is not there. */
class SourceElsewhereTest {
    private static final Map<String, String> CLAIMED = Map.of(
            "connection", "disks", "csi.storage.k8s.io/pvc/name", "data", "csi.storage.k8s.io/pvc/namespace", "team");

    private final InMemoryStorage disks = InMemoryStorage.named("disks");
    private final Told told = new Told();
    private final ControllerFixture controller = ControllerFixture.asking(told).with(disks);

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void content_that_another_node_has_makes_the_caller_try_there_and_turns_the_claim() {
        told.place = new Whereabouts.Place.Elsewhere(Optional.of("n2"), "PersistentVolume pvc-1 is of the node n2");

        var failure = elsewhere(CLAIMED, new Source.Volume("v:disks/pvc-1"));

        assertThat(failure.message())
                .isEqualTo(
                        "v:disks/pvc-1 is on another node: PersistentVolume pvc-1 is of the node n2; the claim goes to"
                                + " n2, and the scheduler moves its pod there");
        assertThat(told.asked).containsExactly("volume v:disks/pvc-1", "turn team/data to n2");
        assertThat(disks.isEmpty()).isTrue();
    }

    @Test
    void a_claim_that_is_not_named_or_cannot_be_turned_is_left_to_the_scheduler() {
        told.place = new Whereabouts.Place.Elsewhere(Optional.of("n2"), "it is so");
        told.turns = false;

        var unnamed = elsewhere(Map.of("connection", "disks"), new Source.Snapshot("s:disks/pvc-1-daily"));
        var unturned = elsewhere(CLAIMED, new Source.Snapshot("s:disks/pvc-1-daily"));

        assertThat(unnamed.next()).isEqualTo("the scheduler chooses again, until it comes upon n2");
        assertThat(unturned.next()).isEqualTo(unnamed.next());
        assertThat(told.asked)
                .containsExactly(
                        "snapshot s:disks/pvc-1-daily", "snapshot s:disks/pvc-1-daily", "turn team/data to n2");
    }

    @Test
    void content_of_which_nobody_names_the_node_is_tried_elsewhere_too() {
        told.place = new Whereabouts.Place.Elsewhere(Optional.empty(), "it is so");

        var failure = elsewhere(CLAIMED, new Source.Snapshot("s:disks/pvc-1-daily"));

        assertThat(failure.next()).isEqualTo("the scheduler chooses another one");
        assertThat(told.asked).hasSize(1);
    }

    @Test
    void a_node_whose_storage_cannot_tell_sends_the_caller_to_the_node_that_has_it() {
        told.place = new Whereabouts.Place.Elsewhere(Optional.of("n2"), "it is so");
        disks.failWith(new Failure.BackendUnavailable("disks", "it may be a bare mount point"));

        elsewhere(CLAIMED, new Source.Volume("v:disks/pvc-1"));
        told.place = new Whereabouts.Place.NowhereElse();

        Failing.with(Failure.BackendUnavailable.class, () -> create(CLAIMED, new Source.Volume("v:disks/pvc-1")));
    }

    @Test
    void content_that_is_nowhere_else_never_was() {
        Failing.with(Failure.SnapshotNotFound.class, () -> create(CLAIMED, new Source.Snapshot("s:disks/pvc-1-daily")));
        Failing.with(Failure.VolumeNotFound.class, () -> create(CLAIMED, new Source.Volume("v:disks/pvc-1")));

        assertThat(told.asked).containsExactly("snapshot s:disks/pvc-1-daily", "volume v:disks/pvc-1");
    }

    @Test
    void a_handle_that_nobody_here_wrote_is_not_asked_for() {
        Failing.with(Failure.SnapshotNotFound.class, () -> create(CLAIMED, new Source.Snapshot("no-such")));

        assertThat(told.asked).isEmpty();
    }

    @Test
    void an_orchestrator_that_does_not_answer_is_no_last_word() {
        told.failure = Optional.of(new Failure.ClusterUnavailable("looking for it", "no answer"));

        Failing.with(Failure.ClusterUnavailable.class, () -> create(CLAIMED, new Source.Volume("v:disks/pvc-1")));
    }

    @Test
    void nobody_is_asked_for_content_that_is_here_or_about_another_refusal() {
        told.place = new Whereabouts.Place.Elsewhere(Optional.of("n2"), "it is so");
        controller.create("pvc-1", Map.of("connection", "disks"));

        VolumeView clone = create(CLAIMED, new Source.Volume("v:disks/pvc-1"));
        Failing.with(
                Failure.CapacityOutOfRange.class,
                () -> controller.create(
                        command("pvc-3", CLAIMED, CapacityRange.of(1, 1024), new Source.Volume("v:disks/pvc-1"))));

        assertThat(clone.context()).containsEntry("fairlead.dev/content", "volume");
        assertThat(told.asked).isEmpty();
    }

    private Failure.SourceElsewhere elsewhere(Map<String, String> parameters, Source source) {
        try {
            create(parameters, source);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.SourceElsewhere found) {
                return found;
            }
            throw e;
        }
        throw new AssertionError("a volume was made");
    }

    private VolumeView create(Map<String, String> parameters, Source source) {
        return controller.create(command("pvc-2", parameters, CapacityRange.ANY, source));
    }

    /** An orchestrator that says what it was told to say. */
    private static final class Told implements Whereabouts {
        private final List<String> asked = new ArrayList<>();
        private Place place = Place.NOWHERE_ELSE;
        private Optional<Failure> failure = Optional.empty();
        private boolean turns = true;

        @Override
        public Place ofVolume(String handle, Duration patience) {
            return answer("volume " + handle);
        }

        @Override
        public Place ofSnapshot(String handle, Duration patience) {
            return answer("snapshot " + handle);
        }

        @Override
        public Optional<Place> ofClaim(Claim claim, Duration patience) {
            throw new AssertionError("no storage of a node's own is wanted for " + claim);
        }

        @Override
        public Optional<String> boundAtOnce(Claim claim, Duration patience) {
            return Optional.empty();
        }

        @Override
        public boolean turn(Claim claim, String node, Duration patience) {
            asked.add("turn " + claim.namespace() + "/" + claim.name() + " to " + node);
            return turns;
        }

        private Place answer(String question) {
            asked.add(question);
            failure.ifPresent(it -> {
                throw new StorageException(it);
            });
            return place;
        }
    }
}
