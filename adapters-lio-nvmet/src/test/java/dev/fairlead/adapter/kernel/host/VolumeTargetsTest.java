package dev.fairlead.adapter.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.block.NameForm;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VolumeTargetsTest {
    private static final NoteLook LEDGER = new NoteLook() {
        @Override
        public List<String> of(NativeId volume, String note) {
            return List.of();
        }

        @Override
        public String place(NativeId volume, String note) {
            return note + " in the ledger of " + volume;
        }
    };

    private static VolumeTargets targets(NameForm form, NoteLook notes) {
        ConfigNode block = ConfigNode.root(ConfigTrees.of(Map.of()), new Problems("c.yaml"));
        return new VolumeTargets(new ConnectionName("nas"), TargetNaming.read(block, form, form.example()), notes);
    }

    private static StoredVolume noted(String key, String name) {
        return new StoredVolume(
                new NativeId("pvc-1"),
                Optional.empty(),
                Optional.empty(),
                new VolumeMedium.BlockDevice("/dev/memory/pvc-1"),
                Content.EMPTY,
                Map.of(key, name));
    }

    @Test
    void a_noted_name_is_the_target_s() {
        assertThat(targets(NameForm.IQN, LEDGER)
                        .name(noted("iscsi-asset", "a-1"))
                        .value())
                .isEqualTo("a-1");
    }

    @ParameterizedTest
    @EnumSource(NameForm.class)
    void a_name_that_no_target_can_have_is_refused_with_the_place_where_its_store_keeps_it(NameForm form) {
        VolumeTargets targets = targets(form, LEDGER);
        StoredVolume volume = noted(form.note(), "two words");

        Failing.with(Failure.BackendRejected.class, () -> targets.name(volume));
        assertThatThrownBy(() -> targets.name(volume))
                .hasMessageContaining("correct " + form.note() + " in the ledger of pvc-1")
                .message()
                .doesNotContain("democratic-csi");
    }

    @Test
    void a_store_that_does_not_say_where_it_keeps_notes_is_told_of_by_the_note() {
        assertThatThrownBy(() -> targets(NameForm.IQN, NoteLook.NONE).name(noted("iscsi-asset", "two words")))
                .hasMessageContaining("the note iscsi-asset of volume pvc-1");
    }
}
