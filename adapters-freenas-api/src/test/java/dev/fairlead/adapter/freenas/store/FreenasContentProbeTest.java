package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is made of a box's answers about the content of a block volume; the node goes by what it reads if of nothing.
 */
class FreenasContentProbeTest {
    private static final NativeId PVC = new NativeId("pvc-1");
    private static final String QUERY = "zfs.resource.query";
    private static final String NAME = SimulatedBox.PARENT + "/" + PVC;

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static VolumeStore store(SimulatedBox box) {
        VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.BLOCK_DEVICE, Map.of());
        var _ = store.create(store.plan(TestVolumes.empty(PVC.value()), PVC), TestWork.patient());
        return store;
    }

    private static HostFinding probe(VolumeStore store) {
        return store.contentProbe().orElseThrow().probe(PVC, TestWork.patient());
    }

    private static String row(String name, String properties) {
        return "[{\"name\": \"" + name + "\", \"properties\": " + properties + "}]";
    }

    private static String referencing(String raw) {
        return row(NAME, "{\"logicalreferenced\": {\"raw\": " + raw + "}, \"volblocksize\": {\"raw\": \"16384\"}}");
    }

    private void expectNoFinding(Fault.Injury injury) {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            box.fault(Fault.at(QUERY, injury));

            Failing.with(Failure.Unintelligible.class, () -> {
                var _ = probe(store);
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"22, Extra inputs are not permitted", "95, Not supported", "16, The pool is busy", "14, Failed"})
    void a_refusal_is_no_finding_and_no_reason_to_keep_a_volume_from_its_node(int number, String text) {
        expectNoFinding(new Fault.Refusal(number, text));
    }

    @Test
    void so_is_one_for_an_argument() {
        expectNoFinding(new Fault.Invalid("data.properties", "Extra inputs are not permitted", 22));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "7", "[]", "[7]", "\"<html>\""})
    void an_answer_that_tells_nothing_of_the_volume_does_not_say_that_it_is_absent(String answer) {
        expectNoFinding(new Fault.Result(answer));
    }

    @Test
    void what_is_told_of_another_volume_is_no_finding() {
        expectNoFinding(new Fault.Result(row(NAME + "0", "{\"logicalreferenced\": {\"raw\": \"6144\"}}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{\"logicalreferenced\": null}"})
    void neither_is_a_volume_without_the_property(String properties) {
        expectNoFinding(new Fault.Result(row(NAME, properties)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"-\"", "\"none\"", "\"-1\"", "\"1.5M\"", "\"99999999999999999999\"", "null"})
    void what_is_no_number_of_bytes_is_no_finding(String raw) {
        expectNoFinding(new Fault.Result(referencing(raw)));
    }

    @ParameterizedTest
    @CsvSource({"6144, BLANK", "28672, UNKNOWN", "1048576, UNKNOWN", "1048577, WRITTEN"})
    void the_size_is_judged_as_for_every_store_of_zfs(String referenced, HostFinding expected) {
        try (SimulatedBox box = new SimulatedBox(Profile.V26, folder)) {
            VolumeStore store = store(box);
            box.fault(Fault.at(QUERY, new Fault.Result(referencing("\"" + referenced + "\""))));

            assertThat(probe(store)).isEqualTo(expected);
        }
    }

    @Test
    void a_box_that_cannot_tell_is_not_asked() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_04, folder)) {
            VolumeStore store = store(box);
            box.forgetCalls();

            assertThat(probe(store)).isEqualTo(HostFinding.UNKNOWN);
            assertThat(box.calls()).isEmpty();
        }
    }

    @Test
    void nobody_is_let_in_by_a_box_that_does_not_answer() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            box.fault(Fault.at(QUERY, new Fault.CutBefore()));

            Failing.with(Failure.BackendUnavailable.class, () -> {
                var _ = probe(store);
            });
        }
    }
}
