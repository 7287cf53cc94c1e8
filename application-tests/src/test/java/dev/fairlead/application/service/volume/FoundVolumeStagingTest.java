package dev.fairlead.application.service.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a stage of a volume answers whose storage has to be asked how it is attached, and cannot tell. */
class FoundVolumeStagingTest {
    private static final StageVolume.Command COMMAND =
            new StageVolume.Command("pvc-1", Path.of("/staging"), TestVolumes.MOUNT, Map.of(), Map.of(), Map.of());

    private final List<StageVolume.Command> staged = new ArrayList<>();

    private void stage(Failure failure) {
        new FoundVolumeStaging((command, _) -> staged.add(command), (_, _) -> {
                    throw new StorageException(failure);
                })
                .stage(COMMAND, TestWork.patient());
    }

    @Test
    void what_may_be_told_later_is_asked_again() {
        for (Failure failure : List.<Failure>of(
                new Failure.BackendUnavailable("pools", "away"),
                new Failure.TimedOut("pools", "find", Duration.ofSeconds(1)),
                new Failure.ConnectionBroken("pools", List.of("a key too many")))) {
            assertThatThrownBy(() -> stage(failure))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.failure()).isEqualTo(failure));
        }
        assertThat(staged).isEmpty();
    }

    @Test
    void why_the_storage_refuses_is_told_by_a_code_after_which_the_call_is_repeated() {
        assertThatThrownBy(() -> stage(new Failure.BackendRejected("pools", "write kind: image again")))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(FinalCodes.isFinal(e.failure())).isFalse())
                .hasMessageContaining("write kind: image again");
        assertThat(staged).isEmpty();
    }

    @Test
    void a_volume_that_is_gone_is_left_to_the_stage_which_knows_what_is_left_of_it() {
        stage(new Failure.VolumeNotFound("pvc-1"));

        assertThat(staged).containsExactly(COMMAND);
    }
}
