package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code zfs set} makes of several properties, and of a pool that lacks what one of them needs. */
class ZfsModificationTest {
    private static final NativeId PVC = new NativeId("pvc-1");

    private final ZfsFixture fixture = new ZfsFixture(
            VolumeMedium.Kind.FILESYSTEM,
            Map.of(
                    "datasetParentName",
                    "tank/v",
                    "datasetProperties",
                    Map.of("compression", "lz4", "sync", "{{ parameters.sync }}", "atime", "off")));
    private final VolumeStore store = fixture.open();

    private StoredVolume make(Map<String, String> mutable) {
        CreateRequest plain = TestVolumes.empty("pvc-1");
        var request = new CreateRequest(
                plain.name(),
                plain.capacity(),
                plain.capabilities(),
                Map.of("sync", "disabled"),
                plain.content(),
                mutable);
        return store.create(store.plan(request, PVC), TestWork.patient()).volume();
    }

    private VolumeModification modification() {
        return store.modification().orElseThrow();
    }

    private void modify(Map<String, String> parameters) {
        modification().modify(PVC, parameters, TestWork.patient());
    }

    @Test
    void they_win_over_what_the_connection_and_the_class_say_from_the_first_command_on() {
        StoredVolume volume = make(Map.of("compression", "zstd", "recordsize", "1M", "sync", "always"));

        assertThat(fixture.modified(volume))
                .isEqualTo(Map.of("compression", "zstd", "recordsize", "1048576", "sync", "always", "atime", "off"));
        assertThat(fixture.pool().history().stream().filter(words -> words.contains("set")))
                .as("none is set after the birth")
                .isEmpty();
    }

    @Test
    void several_are_set_by_one_command() {
        make(Map.of());
        int before = fixture.pool().history().size();

        modify(Map.of("compression", "zstd", "logbias", "throughput"));

        List<List<String>> commands = fixture.pool()
                .history()
                .subList(before, fixture.pool().history().size());
        assertThat(commands.stream().filter(words -> words.get(1).equals("set")))
                .containsExactly(List.of("zfs", "set", "compression=zstd", "logbias=throughput", "tank/v/pvc-1"));
    }

    @Test
    void what_is_so_already_costs_one_look() {
        make(Map.of("compression", "zstd"));
        int before = fixture.pool().roundTrips();

        modify(Map.of("compression", "zstd"));

        assertThat(fixture.pool().roundTrips() - before).isEqualTo(1);
    }

    @Test
    void what_is_inherited_today_is_given_to_the_volume_itself() {
        StoredVolume volume = make(Map.of());

        modify(Map.of("primarycache", "all"));

        assertThat(fixture.modified(volume)).containsEntry("primarycache", "all");
    }

    @Test
    void a_pool_that_lacks_the_feature_of_one_has_none_of_them_set() {
        StoredVolume volume = make(Map.of("sync", "always"));
        Map<String, String> before = fixture.modified(volume);
        fixture.pool().withoutZstd();

        assertThatThrownBy(() -> modify(Map.of("compression", "zstd", "sync", "standard", "logbias", "throughput")))
                .hasMessageContaining("mutable_parameters: ")
                .hasMessageContaining("must be upgraded")
                .satisfies(e -> Failing.with(Failure.InvalidRequest.class, () -> {
                    throw e;
                }));

        assertThat(fixture.modified(volume)).isEqualTo(before).doesNotContainKey("logbias");
    }

    @Test
    void a_volume_that_is_born_in_such_a_pool_is_not_born() {
        fixture.pool().withoutZstd();

        Failing.with(Failure.BackendRejected.class, () -> make(Map.of("compression", "zstd")));

        fixture.verifyEmpty();
    }

    @Test
    void a_value_that_reads_back_otherwise_is_no_success() {
        make(Map.of());
        fixture.pool().lie("logbias", "latency");

        Failing.with(Failure.Unintelligible.class, () -> modify(Map.of("logbias", "throughput")));
    }

    @Test
    void a_dataset_of_somebody_else_is_no_volume() {
        fixture.pool().put("tank/v/strange", "filesystem", Map.of());

        Failing.with(
                Failure.VolumeNotFound.class,
                () -> modification()
                        .modify(new NativeId("strange"), Map.of("compression", "zstd"), TestWork.patient()));

        assertThat(fixture.pool().own("tank/v/strange")).isEmpty();
    }
}
