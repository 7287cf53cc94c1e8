package dev.fairlead.application.service.create;

import static dev.fairlead.application.service.ControllerFixture.command;
import static dev.fairlead.application.service.ControllerFixture.reaching;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.ForwardingStore;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims say on which node their volumes are to be made, and each node's driver sees its own disks. */
class NamedNodeTest {
    private static final Map<String, String> CLAIMED = Map.of(
            "connection", "disks", "csi.storage.k8s.io/pvc/name", "data", "csi.storage.k8s.io/pvc/namespace", "team");
    private static final TopologySegment HERE = ControllerFixture.segment("n1");

    private final InMemoryStorage disks = InMemoryStorage.named("disks");
    private final List<AccessibilityRequirement> planned = new ArrayList<>();
    private final Said said = new Said();
    private final ControllerFixture controller = ControllerFixture.asking(said);

    @BeforeEach
    void open() {
        disks.belongToNode();
        connect(new Placement.Within(List.of(new Placement.Place(HERE, TopologySegment.EVERYWHERE))));
    }

    private void connect(Placement placement) {
        connect(placement, true);
    }

    private void connect(Placement placement, boolean forOneNode) {
        VolumeStore store = new ForwardingStore(new InMemoryVolumeStore(disks)) {
            @Override
            public Birth plan(CreateRequest request, NativeId suggested) {
                planned.add(request.reach());
                return super.plan(request, suggested);
            }

            @Override
            public boolean isForOneNode(CreateRequest request) {
                return forOneNode;
            }
        };
        controller.with(disks, store, ControllerFixture.settings(placement, Map.of(), ControllerFixture.PATIENT));
    }

    @AfterEach
    void close() {
        controller.close();
    }

    private void names(String node) {
        said.place = Optional.of(new Whereabouts.Place.Elsewhere(Optional.of(node), "its note is " + node));
    }

    @Test
    void a_claim_that_names_another_node_goes_there_and_nothing_is_made() {
        names("n2");

        assertThatThrownBy(() -> controller.create("pvc-1", CLAIMED))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure())
                                .isEqualTo(new Failure.ClaimElsewhere(
                                        "team/data",
                                        "its note is n2",
                                        "the claim goes to n2, and the scheduler moves its pod there")));
        assertThat(disks.isEmpty()).isTrue();

        said.turns = false;
        assertThatThrownBy(() -> controller.create(reaching(
                        command("pvc-1", CLAIMED), new AccessibilityRequirement(List.of(HERE), List.of(HERE)))))
                .hasMessageContaining("FL-TOPO-004")
                .hasMessageContaining("the scheduler chooses again, until it comes upon n2");
        assertThat(disks.isEmpty()).isTrue();
        assertThat(said.asked)
                .containsExactly("claim team/data", "turn team/data to n2", "claim team/data", "turn team/data to n2");
    }

    @Test
    void a_volume_that_is_here_already_is_answered_whatever_its_claim_names() {
        var made = controller.create("pvc-1", CLAIMED);
        names("n2");

        assertThat(controller.create("pvc-1", CLAIMED)).isEqualTo(made);
        assertThat(said.asked).containsExactly("claim team/data", "class of team/data", "claim team/data");
    }

    @Test
    void a_volume_that_is_here_already_is_answered_whatever_is_wrong_with_its_claim() {
        var made = controller.create("pvc-1", CLAIMED);
        said.failure = Optional.of(new Failure.InvalidRequest("annotation", "is '!' (expected: the name of a node)"));

        assertThat(controller.create("pvc-1", CLAIMED)).isEqualTo(made);
        Failing.with(Failure.InvalidRequest.class, () -> controller.create("pvc-2", CLAIMED));

        said.failure = Optional.of(new Failure.ClusterRefused("reading the claim team/data", "403"));
        assertThat(controller.create("pvc-1", CLAIMED)).isEqualTo(made);
        Failing.with(Failure.ClusterRefused.class, () -> controller.create("pvc-2", CLAIMED));
    }

    @Test
    void a_claim_that_names_this_node_needs_nobody_else_to_say_so() {
        said.place = Optional.of(Whereabouts.Place.NOWHERE_ELSE);
        var asked = new AccessibilityRequirement(List.of(HERE), List.of(HERE));

        var _ = controller.create("pvc-1", CLAIMED);
        var _ = controller.create(reaching(command("pvc-2", CLAIMED), asked));
        said.place = Optional.empty();
        var _ = controller.create("pvc-3", CLAIMED);

        assertThat(planned)
                .containsExactly(
                        new AccessibilityRequirement(List.of(), List.of(HERE)), asked, AccessibilityRequirement.NONE);
    }

    @Test
    void a_pool_of_all_nodes_has_no_place_to_add() {
        connect(Placement.ANYWHERE);
        said.place = Optional.of(Whereabouts.Place.NOWHERE_ELSE);

        var _ = controller.create("pvc-1", CLAIMED);

        assertThat(planned).containsExactly(AccessibilityRequirement.NONE);
    }

    @Test
    void a_claim_that_cannot_be_read_has_no_volume_made_for_it() {
        said.failure = Optional.of(new Failure.ClusterUnavailable("reading the claim team/data", "no answer"));

        Failing.with(Failure.ClusterUnavailable.class, () -> controller.create("pvc-1", CLAIMED));
        assertThat(disks.isEmpty()).isTrue();
    }

    @Test
    void a_claim_that_did_not_wait_for_its_pod_has_no_volume_on_the_node_that_happens_to_be_asked() {
        said.atOnce = Optional.of("fast");
        var asked = reaching(command("pvc-1", CLAIMED), new AccessibilityRequirement(List.of(HERE), List.of(HERE)));

        assertThatThrownBy(() -> controller.create(asked))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isEqualTo(new Failure.ClaimUnplaced("team/data", "fast")));
        assertThat(disks.isEmpty()).isTrue();
    }

    @Test
    void a_volume_that_is_here_already_is_answered_whatever_class_its_claim_has() {
        var made = controller.create("pvc-1", CLAIMED);
        said.atOnce = Optional.of("fast");

        assertThat(controller.create("pvc-1", CLAIMED)).isEqualTo(made);
    }

    @Test
    void a_claim_that_names_its_node_need_not_wait_for_a_pod() {
        said.atOnce = Optional.of("fast");
        said.place = Optional.of(Whereabouts.Place.NOWHERE_ELSE);

        assertThat(controller.create("pvc-1", CLAIMED).handle()).contains("pvc-1");

        names("n2");
        Failing.with(Failure.ClaimElsewhere.class, () -> controller.create("pvc-2", CLAIMED));
        assertThat(said.asked).noneMatch(it -> it.startsWith("class"));
    }

    @Test
    void a_claim_that_did_not_wait_for_its_pod_gets_what_all_nodes_reach_if_its_class_has_both() {
        InMemoryStorage nas = InMemoryStorage.named("nas");
        controller.with(nas);
        Map<String, String> both = new HashMap<>(CLAIMED);
        both.put("connections", "disks,nas");
        both.remove("connection");
        var here = new AccessibilityRequirement(List.of(HERE), List.of(HERE));
        var made = controller.create(reaching(command("pvc-1", both), here));
        assertThat(nas.isEmpty()).isTrue();
        said.atOnce = Optional.of("fast");

        assertThat(controller.create(reaching(command("pvc-2", both), here)).handle())
                .isEqualTo("v:nas/pvc-2");
        assertThat(controller.create(reaching(command("pvc-1", both), here))).isEqualTo(made);
    }

    /** A node that nobody chose is no better a place for other storage that few nodes reach. */
    @Test
    void a_claim_that_did_not_wait_is_refused_if_no_storage_of_its_class_is_everywhere() {
        InMemoryStorage nas = InMemoryStorage.named("nas");
        controller.with(
                nas,
                ControllerFixture.settings(
                        new Placement.Within(List.of(new Placement.Place(HERE, TopologySegment.EVERYWHERE))),
                        Map.of(),
                        ControllerFixture.PATIENT));
        Map<String, String> both = new HashMap<>(CLAIMED);
        both.put("connections", "disks,nas");
        both.remove("connection");
        said.atOnce = Optional.of("fast");
        var here = new AccessibilityRequirement(List.of(HERE), List.of(HERE));

        Failing.with(Failure.ClaimUnplaced.class, () -> controller.create(reaching(command("pvc-1", both), here)));
        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void a_volume_that_all_nodes_reach_may_be_made_for_any_claim() {
        said.atOnce = Optional.of("fast");
        connect(Placement.ANYWHERE, false);

        assertThat(controller.create("pvc-1", CLAIMED).handle()).contains("pvc-1");
        assertThat(said.asked).containsExactly("claim team/data");
    }

    @Test
    void nobody_is_asked_without_a_claim_for_content_or_for_storage_of_all_nodes() {
        InMemoryStorage nas = InMemoryStorage.named("nas");
        controller.with(nas);
        names("n2");

        var _ = controller.create("pvc-1", Map.of("connection", "disks"));
        var _ = controller.create(command("pvc-2", CLAIMED, CapacityRange.ANY, new Source.Volume("v:disks/pvc-1")));
        var _ = controller.create(
                "pvc-3",
                Map.of(
                        "connection",
                        "nas",
                        "csi.storage.k8s.io/pvc/name",
                        "data",
                        "csi.storage.k8s.io/pvc/namespace",
                        "team"));

        assertThat(said.asked).isEmpty();
    }

    /** An orchestrator whose claims say what they were told to say. */
    private static final class Said implements Whereabouts {
        private final List<String> asked = new ArrayList<>();
        private Optional<Place> place = Optional.empty();
        private Optional<Failure> failure = Optional.empty();
        private Optional<String> atOnce = Optional.empty();
        private boolean turns = true;

        @Override
        public Place ofVolume(String handle, Duration patience) {
            throw new AssertionError(handle);
        }

        @Override
        public Place ofSnapshot(String handle, Duration patience) {
            throw new AssertionError(handle);
        }

        @Override
        public Optional<Place> ofClaim(Claim claim, Duration patience) {
            asked.add("claim " + claim);
            failure.ifPresent(it -> {
                throw new StorageException(it);
            });
            return place;
        }

        @Override
        public Optional<String> boundAtOnce(Claim claim, Duration patience) {
            asked.add("class of " + claim);
            return atOnce;
        }

        @Override
        public boolean turn(Claim claim, String node, Duration patience) {
            asked.add("turn " + claim + " to " + node);
            return turns;
        }
    }
}
