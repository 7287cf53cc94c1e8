package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.roles.RoleUse;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** That the roles of the table are enough for everything that a connection does, and none of them too many. */
@Execution(ExecutionMode.CONCURRENT)
class RolesTest {
    private static final Capacity LARGER = Capacity.ofBytes(2L << 30);

    private static final String COPYING = "REPLICATION_TASK_WRITE";
    private static final String PROBING = "ZFS_RESOURCE_READ";

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Stream.of(Profile.V25_04, Profile.V25_10_0, Profile.V25_10, Profile.V26_BETA, Profile.V26)
                .flatMap(profile -> Arrays.stream(Protocol.values())
                        .filter(protocol -> protocol != Protocol.NVMEOF || profile.since(Profile.V25_10_0))
                        .map(protocol -> Arguments.of(profile, protocol)));
    }

    private static Set<RoleUse> uses(Protocol protocol) {
        Set<RoleUse> uses = EnumSet.of(RoleUse.STORE, RoleUse.COPIES, RoleUse.GRANTS, RoleUse.SERVICES);
        uses.add(protocol.isBlock() ? RoleUse.CONTENT : RoleUse.PERMISSIONS);
        uses.addAll(
                switch (protocol) {
                    case NFS -> Set.of(RoleUse.NFS);
                    case SMB -> Set.of(RoleUse.SMB);
                    case ISCSI -> Set.of(RoleUse.ISCSI, RoleUse.ISCSI_PORTALS);
                    case NVMEOF -> Set.of(RoleUse.NVMEOF);
                });
        return uses;
    }

    private static TruenasRelease release(Profile profile) {
        TruenasVersion version = TruenasVersion.parse(profile.version()).orElseThrow();
        return new TruenasRelease(version, version, false);
    }

    private static Set<String> roles(Profile profile, Protocol protocol) {
        return uses(protocol).stream()
                .flatMap(use -> use.roles(release(profile)).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void a_user_with_these_roles_alone_can_do_everything_and_needs_each_of_them(Profile profile, Protocol protocol) {
        Set<String> roles = roles(profile, protocol);
        try (WiredBox box = WiredBox.startAs(roles, profile, protocol, folder)) {
            box.simulator().clearCalls();

            assertThatCode(() -> live(box, profile.since(Profile.V25_10_0))).doesNotThrowAnyException();

            Set<String> called = box.simulator().calls().stream()
                    .filter(call -> call.user().equals(WiredBox.USER))
                    .map(call -> call.method())
                    .collect(Collectors.toSet());
            Set<String> used = uses(protocol).stream()
                    .flatMap(use -> use.methods(release(profile)).stream())
                    .filter(method ->
                            called.contains(method.name(release(profile)).orElseThrow()))
                    .flatMap(method -> method.role().stream())
                    .collect(Collectors.toSet());
            assertThat(roles).as("roles that no call needed").isSubsetOf(used);
            assertThat(review(box)).allMatch(AccessReview.RoleGrant::granted);
            assertThat(review(box)).extracting(AccessReview.RoleGrant::name).containsAll(roles);
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    void a_role_that_is_missing_is_named_with_the_commands_that_give_it(Profile profile, Protocol protocol) {
        Set<String> roles = new TreeSet<>(roles(profile, protocol));
        roles.remove("SNAPSHOT_DELETE");
        roles.remove(COPYING);
        roles.remove(PROBING);
        try (WiredBox box = WiredBox.startAs(roles, profile, protocol, folder)) {
            AccessReview review = box.store().accessReview().orElseThrow();

            AccessReview.Findings found = review.review(work);

            assertThat(found.who()).contains("as user csi");
            assertThat(found.rights())
                    .filteredOn(AccessReview.RoleGrant::isMissing)
                    .extracting(AccessReview.RoleGrant::name)
                    .containsExactly("SNAPSHOT_DELETE");
            assertThat(found.rights())
                    .as("copies are made only from 25.10 on, and only for classes that ask for them")
                    .filteredOn(right -> right.optional() && !right.granted())
                    .extracting(AccessReview.RoleGrant::name)
                    .isEqualTo(optional(profile, protocol));
            assertThat(String.join("\n", review.remedies(roles(profile, protocol))))
                    .contains("Privileges", "midclt call privilege.create", "\"SNAPSHOT_DELETE\"");
        }
    }

    private static List<String> optional(Profile profile, Protocol protocol) {
        if (!profile.since(Profile.V25_10_0)) {
            return List.of();
        }
        return protocol.isBlock() ? List.of(COPYING, PROBING) : List.of(COPYING);
    }

    @Test
    void what_is_on_a_volume_is_unknown_to_a_user_who_may_not_ask() {
        Set<String> roles = new TreeSet<>(roles(Profile.V25_10, Protocol.ISCSI));
        roles.remove(PROBING);
        try (WiredBox box = WiredBox.startAs(roles, Profile.V25_10, Protocol.ISCSI, folder)) {
            StoredVolume volume = create(box, TestVolumes.empty("pvc-a"));

            assertThat(box.store().contentProbe().orElseThrow().probe(volume.id(), work))
                    .isEqualTo(HostFinding.UNKNOWN);
        }
    }

    private Set<AccessReview.RoleGrant> review(WiredBox box) {
        return Stream.of(box.store().accessReview(), box.exporter().accessReview())
                .flatMap(review -> review.orElseThrow().review(work).rights().stream())
                .collect(Collectors.toSet());
    }

    /** Calls everything that a connection does. */
    private void live(WiredBox box, boolean copies) {
        box.store().room(Map.of(), work);
        StoredVolume volume = create(box, TestVolumes.empty("pvc-a"));
        publish(box, volume);
        SnapshotStore snapshots = box.store().snapshots().orElseThrow();
        StoredSnapshot snapshot = snapshots.take(TestVolumes.snapshot("snapshot-a", volume), 200, work);
        StoredVolume clone = create(box, TestVolumes.fromSnapshot("pvc-b", snapshot.id()));
        StoredVolume twin = create(box, TestVolumes.fromVolume("pvc-c", volume.id()));
        StoredVolume grown = box.store().expand(volume.id(), TestVolumes.atLeast(LARGER), work);
        box.exporter().expanded(grown, work);
        box.store().list(PageRequest.all(), work);
        snapshots.list(Optional.empty(), PageRequest.all(), work);
        StoredGroup group = snapshots
                .groups()
                .orElseThrow()
                .take(new GroupRequest(new CsiName("g"), List.of(twin.id(), volume.id()), Map.of()), 100, work);
        snapshots.groups().orElseThrow().delete(group.id(), work);
        if (copies) {
            copy(box, twin);
        }
        end(box, twin);
        end(box, clone);
        snapshots.delete(snapshot.id(), work);
        end(box, volume);
    }

    private void copy(WiredBox box, StoredVolume volume) {
        CreateRequest plain = TestVolumes.fromVolume("pvc-d", volume.id());
        StoredVolume copy = create(
                box,
                new CreateRequest(
                        plain.name(),
                        plain.capacity(),
                        plain.capabilities(),
                        Map.of("detachedVolumesFromVolumes", "true"),
                        plain.content()));
        SnapshotStore snapshots = box.store().snapshots().orElseThrow();
        StoredSnapshot detached = snapshots.take(
                new SnapshotRequest(new CsiName("s"), volume.id(), Map.of("detachedSnapshots", "true")), 200, work);
        snapshots.delete(detached.id(), work);
        end(box, copy);
    }

    private StoredVolume create(WiredBox box, CreateRequest request) {
        VolumeStore.Birth closed = box.store()
                .plan(request, TestVolumes.id(request.name().value()))
                .noting(Access.CLOSED);
        Exporter.Plan plan = box.exporter().plan(closed);
        StoredVolume made = box.store()
                .create(closed.exported(plan.notes(), plan.bornWith()), work)
                .volume();
        Exporter.Export export = box.exporter().export(made, work);
        Map<String, String> notes = new HashMap<>(export.notes());
        notes.putAll(Notes.ofContext(AttachmentCodec.encode(export.attachment())));
        notes.entrySet().removeAll(made.notes().entrySet());
        box.store().note(made.id(), notes, work);
        return box.store().find(made.id(), work).orElseThrow();
    }

    private void publish(WiredBox box, StoredVolume volume) {
        Grants one = Grants.NONE.with(grant(box, 1));
        Grants both = one.with(grant(box, 2));
        record(box, volume, Grants.NONE, both);
        box.store().contentProbe().ifPresent(probe -> {
            var _ = probe.probe(volume.id(), work);
        });
        box.exporter().accessControl().orElseThrow().admit(found(box, volume), both, work);
        record(box, volume, both, one);
        box.exporter().revocation().orElseThrow().revoke(found(box, volume), one, work);
        record(box, volume, one, Grants.NONE);
        box.exporter().revocation().orElseThrow().revoke(found(box, volume), Grants.NONE, work);
    }

    private static Grant grant(WiredBox box, int node) {
        String initiator = box.exporter()
                .accessControl()
                .orElseThrow()
                .knownBy()
                .of(TestNodes.node(node))
                .orElseThrow();
        return new Grant("node-" + node, initiator, false, AccessMode.MULTI_NODE_MULTI_WRITER, false);
    }

    private StoredVolume found(WiredBox box, StoredVolume volume) {
        return box.store().find(volume.id(), work).orElseThrow();
    }

    private void record(WiredBox box, StoredVolume volume, Grants from, Grants to) {
        assertThat(box.store().change(volume.id(), new NoteChange(Access.GRANTS, from.text(), to.text()), work))
                .isTrue();
    }

    private void end(WiredBox box, StoredVolume volume) {
        box.exporter().unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), work);
        box.store().delete(volume.id(), OnDependents.REFUSE, work);
    }
}
