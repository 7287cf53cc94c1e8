package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The words that ZFS takes for a property, and those of them that the API has. */
class PropertyWordsTest {
    private static final NativeId ID = new NativeId("pvc-a");

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void make(VolumeStore store) {
        var _ = store.create(store.plan(TestVolumes.empty("pvc-a"), ID), TestWork.patient());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip-2", "gzip-3", "gzip-8"})
    void a_level_that_the_api_lacks_is_refused_before_the_box_is_asked(String level) {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());
            make(store);
            var role = store.modification().orElseThrow();
            box.forgetCalls();

            Failure failure = Failing.failure(() -> role.check(Map.of("compression", level)));
            Failing.with(
                    Failure.InvalidRequest.class,
                    () -> role.modify(ID, Map.of("compression", level), TestWork.patient()));

            assertThat(failure).isInstanceOf(Failure.InvalidRequest.class);
            assertThat(failure.message()).contains(level, "gzip-9");
            assertThat(box.calls()).isEmpty();
        }
    }

    @Test
    void another_form_of_a_word_that_the_api_has_is_sent_as_that_word() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = FreenasFixture.store(
                    box,
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of("datasetProperties", Map.of("compression", "gzip-6", "acltype", "posixacl")));

            make(store);

            assertThat(box.own("tank/k8s/v/pvc-a", Set.of("compression", "acltype")))
                    .isEqualTo(Map.of("compression", "gzip", "acltype", "posix"));
        }
    }

    /** A box shows it by another name, up to 25.04 as a field of its own and from then on among the user properties. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CORE_13_0")
    void a_description_of_a_dataset_with_a_mode_is_set_and_read_back(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = FreenasFixture.store(
                    box,
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of(
                            "datasetProperties",
                            Map.of("org.freenas:description", "of claim pvc-a"),
                            "datasetPermissionsMode",
                            "0777"));

            make(store);

            assertThat(box.rows("dataset"))
                    .filteredOn(row -> JsonTools.text(row, "name").equals("tank/k8s/v/pvc-a"))
                    .extracting(row -> JsonTools.text(JsonTools.child(row, "user"), "org.freenas:description"))
                    .containsExactly("of claim pvc-a");
        }
    }

    @Test
    void words_of_any_case_are_known_and_no_others() {
        assertThat(DatasetFields.hasWord("compress", "ZSTD-FAST-1000")).isTrue();
        assertThat(DatasetFields.hasWord("compression", "zstd-20")).isFalse();
        assertThat(DatasetFields.hasWord("compression", "zstd-fast-11")).isFalse();
        assertThat(DatasetFields.hasWord("dedup", "sha256")).isFalse();
        assertThat(DatasetFields.hasWord("recordsize", "128K")).isTrue();
        assertThat(DatasetFields.hasWord("dev.fairlead:x", "anything")).isTrue();
    }
}
