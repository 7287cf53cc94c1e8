package dev.fairlead.adapter.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.block.NameForm;
import dev.fairlead.application.port.out.export.block.TargetName;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.fake.TestVolumes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetNamingTest {
    private static final String BASE = "iqn.2003-01.org.example";

    private final Problems problems = new Problems("c.yaml");

    private TargetNaming names(NameForm form, Map<String, ?> keys) {
        return TargetNaming.read(ConfigNode.root(ConfigTrees.of(keys), problems), form, BASE);
    }

    private static Birth birth(String name, String id, Map<String, String> parameters) {
        return new Birth(
                new NativeId(id),
                new CreateRequest(
                        new CsiName(name),
                        CapacityRange.of(1, 0),
                        List.of(TestVolumes.BLOCK),
                        parameters,
                        Content.EMPTY),
                TestVolumes.SIZE,
                new VolumeMedium.BlockDevice("/dev/zvol/tank/v/" + id),
                Map.of());
    }

    @Test
    void an_id_below_a_labelled_parent_names_its_target_as_it_is() {
        for (NameForm form : NameForm.values()) {
            TargetNaming names = names(form, Map.of("namePrefix", "csi-"));
            Birth birth = birth("pvc-1", "nvme-0.pvc-1", Map.of());

            assertThat(names.planned(birth)).hasToString("csi-nvme-0.pvc-1");
            assertThat(names.of(birth.id())).contains(names.planned(birth));
        }
    }

    @Test
    void a_name_that_would_be_too_long_is_shortened_alike_before_and_after_its_volume_is_made() {
        TargetNaming names = names(NameForm.IQN, Map.of("namePrefix", "csi-")).shortenedTo(32);
        Birth birth = birth("pvc-1", "pvc-0123456789abcdef0123456789abcdef", Map.of());

        assertThat(names.planned(birth).value()).hasSize(32).startsWith("csi-pvc-0123456");
        assertThat(names.of(birth.id())).contains(names.planned(birth));
        assertThat(names.planned(birth("pvc-1", "pvc-1", Map.of()))).hasToString("csi-pvc-1");
    }

    private static StoredVolume volume(String id, Map<String, String> notes) {
        return new StoredVolume(
                new NativeId(id),
                Optional.empty(),
                Optional.empty(),
                new VolumeMedium.BlockDevice("/dev/zvol/tank/v/" + id),
                Content.EMPTY,
                notes);
    }

    @Test
    void names_are_made_as_the_peer_makes_them() {
        TargetNaming affixed = names(NameForm.IQN, Map.of("namePrefix", "Pre-", "nameSuffix", "-suf"));
        TargetNaming templated = names(NameForm.NQN, Map.of("nameTemplate", "{{ parameters.ns }}-{{ name }}"));

        TargetName plain = affixed.planned(birth("a name", "PVC-1", Map.of()));

        assertThat(plain.value()).isEqualTo("pre-pvc-1-suf");
        assertThat(affixed.target(plain)).isEqualTo(BASE + ":pre-pvc-1-suf");
        assertThat(affixed.note(plain)).isEqualTo(Map.of("iscsi-asset", "pre-pvc-1-suf"));
        assertThat(templated.planned(birth("pvc-1", "id", Map.of("ns", "NS1"))).value())
                .isEqualTo("ns1-pvc-1");
        assertThat(problems.all()).isEmpty();
    }

    @Test
    void what_was_noted_stays_whatever_the_settings_have_become() {
        TargetNaming names = names(NameForm.IQN, Map.of("namePrefix", "new-"));

        assertThat(names.of(volume("pvc-1", Map.of("iscsi-asset", "old-pvc-1"))))
                .hasValueSatisfying(name -> assertThat(name.value()).isEqualTo("old-pvc-1"));
        assertThat(names.of(volume("pvc-1", Map.of("nvmeof-asset", "other"))))
                .hasValueSatisfying(name -> assertThat(name.value()).isEqualTo("new-pvc-1"));
        assertThat(names.of(volume("pvc-1", Map.of("iscsi-asset", "../../core"))))
                .isEmpty();
    }

    @Test
    void a_name_that_no_target_can_have_is_refused_before_anything_is_made() {
        TargetNaming names = names(NameForm.IQN, Map.of("nameTemplate", "{{ parameters.ns }}-{{ name }}"));

        for (String bad : List.of("a_b", "a b", "a/b", "ä", "a\nb", "-", "x".repeat(300))) {
            Failing.with(Failure.InvalidRequest.class, () -> names.planned(birth("pvc-1", "pvc-1", Map.of("ns", bad))));
        }
    }

    @Test
    void hostile_names_are_legal_or_refused() {
        TargetNaming names = names(NameForm.NQN, Map.of("nameTemplate", "{{ name }}"));

        HostileInput.names().forEach(name -> {
            Optional<TargetName> made = Failing.orEmpty(() -> names.planned(birth(name.value(), "pvc-1", Map.of())));

            assertThat(made.map(TargetName::value).orElse("legal")).matches("[a-z0-9][a-z0-9._:-]*");
        });
    }

    @Test
    void settings_that_would_make_no_name_are_reported() {
        names(
                NameForm.IQN,
                Map.of("namePrefix", "a_", "nameSuffix", "$(reboot)", "nameTemplate", "{{#each x}}{{/each}}"));

        assertThat(problems.errors())
                .extracting(Problem::path)
                .containsExactlyInAnyOrder("namePrefix", "nameSuffix", "nameTemplate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "iqn",
                "iqn.2003-13.org.example",
                "iqn.2003-01",
                "iqn.2003-01.x",
                "iqn.2003-01.org.Example",
                "iqn.2003-01.org.exa_mple",
                "nqn.2003-01.org.example",
                "iqn.2003-01.org.example:",
                "iqn.2003-01.org.example x",
                "iqn.2003-01.org.example\n"
            })
    void what_is_no_base_is_refused(String text) {
        assertThatThrownBy(() -> NameForm.IQN.base(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"iqn.2003-01.org.linux-iscsi.ubuntu-19.x8664", "iqn.2003-01.org.example:lab.tank"})
    void a_base_may_have_a_part_of_its_own(String text) {
        assertThat(NameForm.IQN.base(text)).isEqualTo(text);
    }
}
