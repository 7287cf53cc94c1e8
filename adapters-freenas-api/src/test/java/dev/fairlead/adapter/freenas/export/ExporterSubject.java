package dev.fairlead.adapter.freenas.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterAbsenceContract;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds an exporter of a simulated box of one release to the contracts of exporters.
 *
 * @param <F> what opens exporters over the box
 */
public abstract class ExporterSubject<F> implements AccessControlContract, ExporterAbsenceContract {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private final Profile profile;
    private final VolumeMedium.Kind kind;
    private final Function<SimulatedBox, F> opening;
    private @Nullable SimulatedBox box;
    private @Nullable F fixture;

    /** @param opening opens a fixture over a box; there is one for each test */
    protected ExporterSubject(Profile profile, VolumeMedium.Kind kind, Function<SimulatedBox, F> opening) {
        this.profile = profile;
        this.kind = kind;
        this.opening = opening;
    }

    @BeforeEach
    void start() {
        box = new SimulatedBox(profile, folder);
        fixture = opening.apply(box);
    }

    @AfterEach
    void end() {
        box().close();
    }

    protected final SimulatedBox box() {
        return Objects.requireNonNull(box);
    }

    protected final F fixture() {
        return Objects.requireNonNull(fixture);
    }

    /** Returns the method by which one of several nodes is shut out. */
    protected abstract String shuttingOut();

    /** Returns the method by which a node is let in. */
    protected String lettingIn() {
        return shuttingOut();
    }

    private void gone(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        remove(volume);
    }

    private static Grants nodes(Exporter exporter, int... numbers) {
        Grants grants = Grants.NONE;
        for (int number : numbers) {
            String initiator = exporter.accessControl()
                    .orElseThrow()
                    .knownBy()
                    .of(TestNodes.node(number))
                    .orElseThrow();
            grants = grants.with(
                    new Grant("node-" + number, initiator, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
        }
        return grants;
    }

    private StoredVolume admitted(Exporter exporter, Grants grants) {
        var birth = birth("pvc-unloaded");
        Map<String, String> notes = new HashMap<>(exporter.plan(birth).notes());
        notes.putAll(Access.CLOSED);
        StoredVolume volume = volume(birth, notes);
        exporter.export(volume, TestWork.patient());
        exporter.accessControl().orElseThrow().admit(volume, grants, TestWork.patient());
        return volume;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_revocation_that_the_service_did_not_load_is_not_believed_by_its_rows(boolean cut) {
        try (Exporter exporter = exporter();
                Exporter restarted = exporter()) {
            StoredVolume volume = admitted(exporter, nodes(exporter, 1, 2));
            Grants remaining = nodes(exporter, 2);
            box().fault(Fault.at(shuttingOut(), new Fault.Unloaded(cut)));
            Failing.failure(() -> exporter.revocation().orElseThrow().revoke(volume, remaining, TestWork.patient()));

            restarted.revocation().orElseThrow().revoke(volume, remaining, TestWork.patient());

            assertThat(letIn(volume).orElseThrow().keySet())
                    .isEqualTo(remaining.initiators().keySet());
            gone(exporter, volume);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobody_stays_let_in_by_a_service_that_did_not_load_that_nobody_is(boolean cut) {
        try (Exporter exporter = exporter();
                Exporter restarted = exporter()) {
            StoredVolume volume = admitted(exporter, nodes(exporter, 1));
            box().fault(Fault.at(shuttingOut(), new Fault.Unloaded(cut)));
            boolean _ = Failing.works(
                    () -> exporter.revocation().orElseThrow().revoke(volume, Grants.NONE, TestWork.patient()));

            restarted.revocation().orElseThrow().revoke(volume, Grants.NONE, TestWork.patient());

            assertThat(letIn(volume).orElseThrow()).isEmpty();
            gone(exporter, volume);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_admission_that_the_service_did_not_load_is_not_believed_by_its_rows(boolean cut) {
        try (Exporter exporter = exporter();
                Exporter restarted = exporter()) {
            StoredVolume volume = admitted(exporter, Grants.NONE);
            Grants one = nodes(exporter, 1);
            box().fault(Fault.at(lettingIn(), new Fault.Unloaded(cut)));
            boolean _ =
                    Failing.works(() -> exporter.accessControl().orElseThrow().admit(volume, one, TestWork.patient()));

            restarted.accessControl().orElseThrow().admit(volume, one, TestWork.patient());

            assertThat(letIn(volume).orElseThrow().keySet())
                    .isEqualTo(one.initiators().keySet());
            gone(exporter, volume);
        }
    }

    private ExportedVolumes volumes() {
        return new ExportedVolumes(box(), kind);
    }

    @Override
    public boolean hasReaders() {
        return false;
    }

    @Override
    public Birth birth(String name) {
        return volumes().birth(name);
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return volumes().volume(birth, notes);
    }

    @Override
    public void remove(StoredVolume volume) {
        volumes().remove(volume);
    }

    @Override
    public void takeAway() {
        box().away(true);
    }

    @Override
    public void bringBack() {
        box().away(false);
    }
}
