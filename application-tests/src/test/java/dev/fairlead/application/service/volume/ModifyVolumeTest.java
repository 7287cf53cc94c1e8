package dev.fairlead.application.service.volume;

import static dev.fairlead.application.service.ControllerFixture.command;
import static dev.fairlead.application.service.ControllerFixture.mutable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.ValidateVolume;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a VolumeAttributesClass says, at birth and later, and what of it applies to whom. */
class ModifyVolumeTest {
    private static final NativeId PVC = new NativeId("pvc-1");
    private static final Map<String, String> ON_NAS = Map.of("connection", "nas");
    private static final Map<String, String> ON_RIGID = Map.of("connection", "rigid");

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final InMemoryStorage rigid = InMemoryStorage.named("rigid").rigid();
    private final ControllerFixture controller = ControllerFixture.proxy().with(nas, rigid);

    @AfterEach
    void close() {
        controller.close();
    }

    private void modify(String handle, Map<String, String> parameters) {
        controller.useCases.modifyVolume().modify(handle, parameters, TestWork.patient());
    }

    @Test
    void a_volume_is_changed_and_keeps_what_is_not_named() {
        controller.create(mutable(command("pvc-1", ON_NAS), Map.of("speed", "slow", "cache", "on")));

        modify("v:nas/pvc-1", Map.of("speed", "fast"));

        assertThat(nas.mutable(PVC)).isEqualTo(Map.of("speed", "fast", "cache", "on"));
    }

    @Test
    void entries_may_be_scoped_to_driver_and_instance_and_the_others_do_not_apply() {
        controller.create("pvc-1", ON_NAS);

        modify(
                "v:nas/pvc-1",
                Map.of(
                        "fairlead.dev/memory/speed", "fast",
                        "fairlead.dev/i-1/cache", "on",
                        "speed", "slow",
                        "fairlead.dev/zfs-generic-nfs/compression", "zstd"));

        assertThat(nas.mutable(PVC)).isEqualTo(Map.of("speed", "fast", "cache", "on"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sped", "fairlead.dev/sped", "compression", "connection"})
    void what_is_unknown_is_refused_with_nothing_changed_or_made(String key) {
        controller.create("pvc-1", ON_NAS);
        Map<String, String> wrong = Map.of("cache", "on", key, "fast");

        Failing.with(Failure.InvalidRequest.class, () -> modify("v:nas/pvc-1", wrong));
        Failing.with(Failure.InvalidRequest.class, () -> controller.create(mutable(command("pvc-2", ON_NAS), wrong)));

        assertThat(nas.mutable(PVC)).isEmpty();
        assertThat(nas.volumes()).hasSize(1);
    }

    @Test
    void a_connection_that_has_nothing_to_change_says_so_before_any_effect() {
        controller.create("pvc-1", ON_RIGID);

        assertThatThrownBy(() -> modify("v:rigid/pvc-1", Map.of("speed", "fast")))
                .hasMessageContaining("connection rigid, of driver memory, has nothing that can be changed");
        Failing.with(
                Failure.Unsupported.class,
                () -> controller.create(mutable(command("pvc-2", ON_RIGID), Map.of("speed", "fast"))));

        assertThat(rigid.volumes()).hasSize(1);
    }

    @Test
    void what_does_not_apply_to_it_needs_no_such_connection_but_a_volume() {
        controller.create("pvc-1", ON_RIGID);
        Map<String, String> others = Map.of("fairlead.dev/zfs-generic-nfs/compression", "zstd");

        modify("v:rigid/pvc-1", others);
        controller.create(mutable(command("pvc-2", ON_RIGID), others));

        Failing.with(Failure.VolumeNotFound.class, () -> modify("v:rigid/absent", others));
        Failing.with(Failure.VolumeNotFound.class, () -> modify("v:nas/absent", Map.of("speed", "fast")));
        Failing.with(Failure.VolumeNotFound.class, () -> modify("not ours", Map.of("speed", "fast")));
        Failing.with(Failure.ConnectionUnknown.class, () -> modify("v:gone/pvc-1", Map.of("speed", "fast")));
    }

    @Test
    void a_repeated_create_makes_it_so_and_is_no_conflict() {
        controller.create(mutable(command("pvc-1", ON_NAS), Map.of("speed", "slow", "cache", "on")));

        controller.create(mutable(command("pvc-1", ON_NAS), Map.of("speed", "fast")));
        controller.create("pvc-1", ON_NAS);

        assertThat(nas.mutable(PVC)).isEqualTo(Map.of("speed", "fast", "cache", "on"));
    }

    @Test
    void a_volume_at_work_is_not_changed() {
        controller.create("pvc-1", ON_NAS);
        nas.beforeEachCall(() -> {
            nas.recover();
            Failing.with(Failure.OperationPending.class, () -> modify("v:nas/pvc-1", Map.of("speed", "slow")));
        });

        modify("v:nas/pvc-1", Map.of("speed", "fast"));

        assertThat(nas.mutable(PVC)).isEqualTo(Map.of("speed", "fast"));
    }

    @Test
    void validation_objects_to_what_would_be_refused() {
        controller.create("pvc-1", ON_NAS);

        assertThat(objection(Map.of("speed", "fast"))).isEmpty();
        assertThat(objection(Map.of("speed", "furious"))).contains("furious");
    }

    private String objection(Map<String, String> mutable) {
        return controller
                .useCases
                .validateVolume()
                .objection(
                        new ValidateVolume.Command(
                                "v:nas/pvc-1", List.of(TestVolumes.MOUNT), Map.of(), Map.of(), mutable),
                        TestWork.patient())
                .orElse("");
    }
}
