package dev.fairlead.testkit.contract.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.volume.OutOfReach;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/**
 * Tests an exporter whose storage has been replaced by another one of the same name: what the other one has is not
 * changed, nothing is exported, narrowed or closed as if it was ours, and ours is as it was when it is back.
 *
 * <p>An attachment is a name: it says where ours is to be found, not that it is there. So it may be told meanwhile.
 *
 * <p>An exporter that knows a volume by its path alone takes another's volume at the same path for ours; see
 * {@link #knowsTheStorage}. It is the store that knows the storage: each service asks it for the volume first, and
 * calls the exporter only with what it has found. Of such an exporter less is asked: it may act on what it has exported
 * by that path and on nothing else, and what it says is so.
 */
public interface ExporterReplacementContract extends ExporterAbsenceContract {
    /**
     * Puts another storage in the place of this one, while this one is away. It exports a volume of its own to a node
     * of its own.
     *
     * @param alike our volume, if the other storage is to have one of the same name at the same path
     */
    void putAnother(Optional<StoredVolume> alike);

    /** Takes it away again; fails if anything was changed there. */
    void takeAnotherUntouched();

    /** Returns whether the exporter can tell the other storage from its own. */
    default boolean knowsTheStorage() {
        return asksTheStorage();
    }

    @Test
    default void another_storage_with_a_volume_of_the_same_name_is_left_alone_and_ours_stays_as_it_was() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = exported(exporter);
            verifyReplaced(exporter, volume, Optional.of(volume));
        }
    }

    @Test
    default void another_storage_without_such_a_volume_is_left_alone_and_ours_stays_as_it_was() {
        try (Exporter exporter = exporter()) {
            verifyReplaced(exporter, exported(exporter), Optional.empty());
        }
    }

    /** Makes a volume and exports it, to one node if the exporter can limit access. */
    private StoredVolume exported(Exporter exporter) {
        Birth birth = birth("pvc-a");
        Map<String, String> notes = new HashMap<>(exporter.plan(birth).notes());
        Grants one = node(exporter, 1);
        if (exporter.accessControl().isPresent()) {
            notes.putAll(Access.CLOSED);
            notes.putAll(one.note());
        }
        StoredVolume volume = volume(birth, notes);
        exporter.export(volume, TestWork.patient());
        exporter.accessControl().ifPresent(role -> role.admit(volume, one, TestWork.patient()));
        return volume;
    }

    /** Returns the grant for one node; none if the exporter leaves its volumes open. */
    private static Grants node(Exporter exporter, int number) {
        return exporter.accessControl()
                .map(AccessControl::knownBy)
                .flatMap(fact -> fact.of(TestNodes.node(number)))
                .map(initiator -> Grants.NONE.with(
                        new Grant("node-" + number, initiator, false, AccessMode.MULTI_NODE_MULTI_WRITER, false)))
                .orElse(Grants.NONE);
    }

    private Optional<SortedMap<String, Boolean>> whoIsIn(StoredVolume volume) {
        return this instanceof AccessControlContract control ? control.letIn(volume) : Optional.empty();
    }

    private void verifyReplaced(Exporter exporter, StoredVolume volume, Optional<StoredVolume> alike) {
        Export before = exporter.export(volume, TestWork.patient());
        Optional<SortedMap<String, Boolean>> in = whoIsIn(volume);
        int once = exports();
        Optional<Attachment> told = exporter.attachment(volume, TestWork.patient());

        takeAway();
        putAnother(alike);
        boolean closed;
        try {
            verifyToldOrRefused(exporter, volume, told);
            verifyNotExported(exporter, volume, before);
            closed = isClosed(exporter, volume);
        } finally {
            takeAnotherUntouched();
            bringBack();
        }

        if (closed) {
            assertThat(exports()).as("said to be closed meanwhile").isZero();
        }
        if (knowsTheStorage()) {
            assertThat(exports()).as("exports as before").isEqualTo(once);
            assertThat(whoIsIn(volume)).as("grants as before").isEqualTo(in);
        }
        assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(before);
        assertThat(exports()).isEqualTo(once);
        assertThat(whoIsIn(volume)).isEqualTo(in);
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        remove(volume);
    }

    private static void verifyToldOrRefused(Exporter exporter, StoredVolume volume, Optional<Attachment> told) {
        TestWork look = TestWork.patient();
        Failing.works(() -> assertThat(exporter.attachment(volume, look))
                .as("no other attachment than before")
                .isEqualTo(told));
        assertThat(look.effects()).isEmpty();
    }

    private void verifyNotExported(Exporter exporter, StoredVolume volume, Export before) {
        isDone(
                "export",
                () -> assertThat(exporter.export(volume, TestWork.patient()))
                        .as("no other export than before")
                        .isEqualTo(before));
        exporter.accessControl()
                .ifPresent(role -> isDone("admit", () -> role.admit(volume, node(exporter, 2), TestWork.patient())));
        exporter.revocation().ifPresent(role -> {
            if (isDone("revoke", () -> role.revoke(volume, Grants.NONE, TestWork.patient()))) {
                assertThat(whoIsIn(volume).map(Map::size).orElse(0))
                        .as("nodes that are in though they were shut out")
                        .isZero();
            }
        });
    }

    /**
     * Returns whether the exporter says that the export is closed. An exporter of a pool has nothing to close if it is
     * told, by leaving out the volume, that the store has seen that it is gone: its share went with it.
     */
    private boolean isClosed(Exporter exporter, StoredVolume volume) {
        boolean closed = isDone(
                "unexport",
                () -> exporter.unexport(
                        volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient()));
        boolean gone = Failing.works(() ->
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient()));
        return closed || (gone && !knowsTheStorage());
    }

    /** Returns whether a call succeeds; checks that it is refused if the exporter can tell whose storage it is. */
    private boolean isDone(String name, Runnable verb) {
        if (knowsTheStorage()) {
            OutOfReach.verifyNotOurs(name, verb::run);
            return false;
        }
        return Failing.works(verb);
    }
}
