package dev.fairlead.testkit.contract.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests what an {@code Exporter} that can restrict access to a volume promises beyond {@link ExporterContract}. */
public interface AccessControlContract extends ExporterContract {
    /**
     * Returns the initiators that the storage itself lets in, each with whether it may only read; empty if it lets in
     * everybody.
     */
    Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume);

    /**
     * Returns an exporter of the same storage whose connection file now asks for what the storage does not take:
     * attributes that it lacks, ports and options that do not exist.
     */
    Exporter spoiled();

    /** Returns whether the protocol can let somebody in who may only read. */
    default boolean hasReaders() {
        return true;
    }

    /** Returns the name by which the protocol could know a node. */
    private String initiator(Exporter exporter, int number) {
        return control(exporter).knownBy().of(TestNodes.node(number)).orElseThrow();
    }

    private Grant writer(Exporter exporter, int number) {
        return grant(exporter, number, false);
    }

    private Grant grant(Exporter exporter, int number, boolean readonly) {
        return new Grant(
                "node-" + number, initiator(exporter, number), readonly, AccessMode.MULTI_NODE_MULTI_WRITER, false);
    }

    private static AccessControl control(Exporter exporter) {
        return exporter.accessControl().orElseThrow();
    }

    private static void revoke(Exporter exporter, StoredVolume volume, Grants remaining, TestWork work) {
        exporter.revocation().orElseThrow().revoke(volume, remaining, work);
    }

    private StoredVolume closed(Exporter exporter, String name) {
        var birth = birth(name);
        Map<String, String> notes = new HashMap<>(exporter.plan(birth).notes());
        notes.putAll(Access.CLOSED);
        return volume(birth, notes);
    }

    private static StoredVolume granted(StoredVolume volume, Grants grants) {
        Map<String, String> notes = new HashMap<>(volume.notes());
        notes.putAll(grants.note());
        return new StoredVolume(
                volume.id(), volume.name(), volume.capacity(), volume.medium(), volume.content(), notes);
    }

    private void assertLetIn(StoredVolume volume, Grants grants) {
        SortedMap<String, Boolean> expected = new TreeMap<>(grants.initiators());
        if (!hasReaders()) {
            expected.replaceAll((_, _) -> false);
        }
        assertThat(letIn(volume)).contains(expected);
    }

    private void gone(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        remove(volume);
    }

    @Test
    default void an_open_volume_lets_everybody_in() {
        try (Exporter exporter = exporter()) {
            var birth = birth("pvc-a");
            StoredVolume volume = volume(birth, exporter.plan(birth).notes());

            exporter.export(volume, TestWork.patient());

            assertThat(letIn(volume)).isEmpty();
            gone(exporter, volume);
        }
    }

    @Test
    default void a_closed_volume_lets_nobody_in() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");

            exporter.export(volume, TestWork.patient());

            assertLetIn(volume, Grants.NONE);
            gone(exporter, volume);
        }
    }

    @Test
    default void nodes_are_let_in_and_shut_out_one_by_one() {
        try (Exporter exporter = exporter();
                Exporter restarted = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            exporter.export(volume, TestWork.patient());
            Grants one = Grants.NONE.with(writer(exporter, 1));
            Grants both = one.with(grant(exporter, 2, true));

            control(exporter).admit(volume, one, TestWork.patient());
            assertLetIn(volume, one);
            control(restarted).admit(volume, both, TestWork.patient());
            assertLetIn(volume, both);
            control(restarted).admit(volume, both, TestWork.patient());
            assertLetIn(volume, both);
            control(exporter).admit(volume, both.without("node-1"), TestWork.patient());
            assertLetIn(volume, both.without("node-1"));
            control(exporter).admit(volume, Grants.NONE, TestWork.patient());
            assertLetIn(volume, Grants.NONE);

            control(exporter).admit(volume, one, TestWork.patient());
            assertLetIn(volume, one);
            gone(exporter, volume);
        }
    }

    @Test
    default void who_could_only_read_can_write_when_that_is_granted() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            Grants reading = Grants.NONE.with(grant(exporter, 1, true));
            Grants writing = Grants.NONE.with(writer(exporter, 1));

            control(exporter).admit(volume, reading, TestWork.patient());
            assertLetIn(volume, reading);
            control(exporter).admit(volume, writing, TestWork.patient());
            assertLetIn(volume, writing);
            control(exporter).admit(volume, reading, TestWork.patient());
            assertLetIn(volume, reading);

            gone(exporter, volume);
        }
    }

    /** Checks that a repeated CreateVolume, which exports again even a volume in use, lets in the noted nodes. */
    @Test
    default void exporting_again_lets_in_whom_the_notes_name() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            Grants grants = Grants.NONE.with(writer(exporter, 1)).with(writer(exporter, 2));
            control(exporter).admit(volume, grants, TestWork.patient());

            exporter.export(granted(volume, grants), TestWork.patient());
            assertLetIn(volume, grants);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            exporter.export(granted(volume, grants), TestWork.patient());

            assertLetIn(volume, grants);
            gone(exporter, volume);
        }
    }

    @Test
    default void nobody_is_left_over_from_a_volume_of_the_same_name() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            control(exporter).admit(volume, Grants.NONE.with(writer(exporter, 1)), TestWork.patient());
            gone(exporter, volume);
            StoredVolume next = closed(exporter, "pvc-a");

            exporter.export(next, TestWork.patient());

            assertLetIn(next, Grants.NONE);
            gone(exporter, next);
        }
    }

    @Test
    default void one_volumes_nodes_are_none_of_anothers() {
        try (Exporter exporter = exporter();
                Exporter other = exporter()) {
            StoredVolume one = closed(exporter, "pvc-1");
            StoredVolume ten = closed(exporter, "pvc-10");
            Grants ones = Grants.NONE.with(writer(exporter, 1)).with(writer(exporter, 3));
            Grants tens = Grants.NONE.with(writer(exporter, 2)).with(writer(exporter, 3));

            Concurrently.run(List.of(
                    () -> control(exporter).admit(one, ones, TestWork.patient()),
                    () -> control(other).admit(ten, tens, TestWork.patient())));

            assertLetIn(one, ones);
            assertLetIn(ten, tens);
            gone(exporter, one);
            assertLetIn(ten, tens);
            gone(exporter, ten);
        }
    }

    @Test
    default void an_admission_that_was_cut_anywhere_is_finished_by_a_retry() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            Grants before = Grants.NONE.with(writer(exporter, 1)).with(writer(exporter, 2));
            Grants after = Grants.NONE.with(writer(exporter, 2)).with(writer(exporter, 3));
            boolean cut = true;
            for (int effects = 0; cut; effects++) {
                control(exporter).admit(volume, before, TestWork.patient());
                TestWork work = TestWork.patient().cancelledAfter(effects);
                cut = !Failing.works(() -> control(exporter).admit(volume, after, work));
                control(exporter).admit(volume, after, TestWork.patient());
                assertLetIn(volume, after);
                assertThat(effects).isLessThan(1000);
            }
            gone(exporter, volume);
        }
    }

    @Test
    default void nodes_are_shut_out_one_by_one_and_nobody_else_is() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            StoredVolume other = closed(exporter, "pvc-b");
            Grants both = Grants.NONE.with(writer(exporter, 1)).with(grant(exporter, 2, true));
            control(exporter).admit(volume, both, TestWork.patient());
            control(exporter).admit(other, both, TestWork.patient());

            revoke(exporter, granted(volume, both), both.without("node-1"), TestWork.patient());
            assertLetIn(volume, both.without("node-1"));
            revoke(exporter, granted(volume, both), both.without("node-1"), TestWork.patient());
            assertLetIn(volume, both.without("node-1"));
            revoke(exporter, granted(volume, both.without("node-1")), Grants.NONE, TestWork.patient());
            assertLetIn(volume, Grants.NONE);
            assertLetIn(other, both);

            control(exporter).admit(volume, both, TestWork.patient());
            assertLetIn(volume, both);
            gone(exporter, volume);
            gone(exporter, other);
        }
    }

    @Test
    default void what_the_storage_does_not_take_by_now_keeps_nobody_in() {
        try (Exporter exporter = exporter();
                Exporter spoiled = spoiled()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            StoredVolume other = closed(exporter, "pvc-b");
            Grants both = Grants.NONE.with(writer(exporter, 1)).with(writer(exporter, 2));
            Grants one = both.without("node-2");
            control(exporter).admit(volume, both, TestWork.patient());
            control(exporter).admit(other, one, TestWork.patient());

            revoke(spoiled, granted(volume, both), one, TestWork.patient());
            assertLetIn(volume, one);
            revoke(spoiled, granted(volume, one), Grants.NONE, TestWork.patient());
            revoke(spoiled, granted(other, one), Grants.NONE, TestWork.patient());

            assertLetIn(volume, Grants.NONE);
            assertLetIn(other, Grants.NONE);
            gone(spoiled, volume);
            gone(spoiled, other);
        }
    }

    @Test
    default void a_revocation_that_was_cut_anywhere_is_finished_by_a_retry() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            Grants before = Grants.NONE.with(writer(exporter, 1)).with(writer(exporter, 2));
            Grants after = before.without("node-1");
            boolean cut = true;
            for (int effects = 0; cut; effects++) {
                control(exporter).admit(volume, before, TestWork.patient());
                TestWork work = TestWork.patient().cancelledAfter(effects);
                cut = !Failing.works(() -> revoke(exporter, volume, after, work));
                revoke(exporter, volume, after, TestWork.patient());
                assertLetIn(volume, after);
                assertThat(effects).isLessThan(1000);
            }
            gone(exporter, volume);
        }
    }

    @Test
    default void shutting_nodes_out_of_what_is_not_exported_exports_nothing() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = closed(exporter, "pvc-a");
            control(exporter).admit(volume, Grants.NONE.with(writer(exporter, 1)), TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            revoke(exporter, volume, Grants.NONE, TestWork.patient());

            assertThat(exports()).isZero();
            gone(exporter, volume);
        }
    }
}
