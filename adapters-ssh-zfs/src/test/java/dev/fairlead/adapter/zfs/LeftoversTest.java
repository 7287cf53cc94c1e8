package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A call that died, and another one that finds what it has left in its place. */
class LeftoversTest {
    private static final long GI = 1L << 30;
    private static final String DATA = "tank/v/data";
    private static final Source SOURCE = new Source.Volume("v:nas/source");

    private final ZfsCrashFixture zfsCrashFixture = ZfsCrashFixture.shared(
            "nfs", "sharenfs", Map.of("datasetEnableQuotas", true, "datasetPermissionsMode", "0777"));

    private static VolumeView create(
            ZfsCrashFixture zfsCrashFixture, String name, long bytes, Map<String, String> parameters, Source source) {
        return create(zfsCrashFixture, name, bytes, parameters, source, Map.of());
    }

    private static VolumeView create(
            ZfsCrashFixture zfsCrashFixture,
            String name,
            long bytes,
            Map<String, String> parameters,
            Source source,
            Map<String, String> mutable) {
        Map<String, String> all = new HashMap<>(parameters);
        all.putAll(OneConnectionFixture.ON_NAS);
        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            return oneConnectionFixture
                    .useCases()
                    .createVolume()
                    .create(
                            new CreateVolume.Command(
                                    new CsiName(name),
                                    CapacityRange.of(bytes, 0),
                                    List.of(TestVolumes.MOUNT),
                                    all,
                                    source,
                                    AccessibilityRequirement.NONE,
                                    mutable),
                            TestWork.named(name));
        }
    }

    private FakePool pool() {
        return zfsCrashFixture.pool();
    }

    /** It is made, and a step after that fails in a way that nobody knows. */
    private void begin(long bytes, Map<String, String> parameters, Source source) {
        pool().refuse("0777", "chmod: what a day");
        Failing.with(
                Failure.BackendUnavailable.class, () -> create(zfsCrashFixture, "data", bytes, parameters, source));
        pool().refuse("0777", "");
        assertThat(pool().own(DATA)).containsEntry(OwnProperties.STATE, OwnProperties.MAKING);
    }

    private void givenSource() {
        create(zfsCrashFixture, "source", GI, Map.of(), Source.NONE);
        pool().files("tank/v/source").put("secret", "of the source");
    }

    @Test
    void an_empty_volume_is_never_somebodys_clone() {
        givenSource();
        begin(GI, Map.of(), SOURCE);
        assertThat(pool().files(DATA)).isNotEmpty();

        VolumeView made = create(zfsCrashFixture, "data", 5 * GI, Map.of(), Source.NONE);

        assertThat(made.capacity().bytes()).isEqualTo(5 * GI);
        assertThat(pool().files(DATA)).isEmpty();
        assertThat(pool().own(DATA))
                .containsEntry("refquota", Long.toString(5 * GI))
                .doesNotContainKey(PeerProperties.SOURCE_ID);
        assertThat(pool().names()).noneMatch(name -> name.contains("volume-source-for"));
    }

    @Test
    void a_clone_is_never_an_empty_volume_nor_of_another_source() {
        givenSource();
        create(zfsCrashFixture, "other", GI, Map.of(), Source.NONE);
        pool().files("tank/v/other").put("secret", "of the other");
        begin(GI, Map.of(), Source.NONE);

        create(zfsCrashFixture, "data", GI, Map.of(), SOURCE);
        assertThat(pool().files(DATA)).containsEntry("secret", "of the source");
        pool().play(List.of("zfs", "set", OwnProperties.STATE + "=" + OwnProperties.MAKING, DATA));

        create(zfsCrashFixture, "data", GI, Map.of(), new Source.Volume("v:nas/other"));

        assertThat(pool().files(DATA)).containsEntry("secret", "of the other");
        assertThat(pool().names()).doesNotContain("tank/v/source@volume-source-for-volume-data");
    }

    @Test
    void another_size_or_class_makes_it_anew() {
        begin(10 * GI, Map.of(), Source.NONE);
        create(zfsCrashFixture, "data", 5 * GI, Map.of(), Source.NONE);
        assertThat(pool().own(DATA)).containsEntry("refquota", Long.toString(5 * GI));
        pool().remove(DATA);
        begin(GI, Map.of("colour", "red"), Source.NONE);
        long first = pool().born(DATA);

        create(zfsCrashFixture, "data", GI, Map.of("colour", "blue"), Source.NONE);

        assertThat(pool().born(DATA)).isNotEqualTo(first);
    }

    @Test
    void the_same_request_goes_on_from_there() {
        givenSource();
        begin(GI, Map.of(), SOURCE);
        long first = pool().born(DATA);

        create(zfsCrashFixture, "data", GI, Map.of(), SOURCE);

        assertThat(pool().born(DATA)).isEqualTo(first);
        assertThat(pool().files(DATA)).containsEntry("secret", "of the source");
        assertThat(pool().own(DATA)).containsEntry(OwnProperties.STATE, OwnProperties.WHOLE);
    }

    /** Until it is given its own, a clone has the size of its source. */
    @Test
    void so_does_that_of_a_larger_clone_of_a_block_volume() {
        ZfsCrashFixture block = ZfsCrashFixture.local("zfs-local-zvol");
        create(block, "source", GI, Map.of(), Source.NONE);
        block.pool().refuse("set", "what a day");
        Failing.with(Failure.BackendUnavailable.class, () -> create(block, "data", 2 * GI, Map.of(), SOURCE));
        block.pool().refuse("set", "");
        long first = block.pool().born(DATA);

        create(block, "data", 2 * GI, Map.of(), SOURCE);

        assertThat(block.pool().born(DATA)).isEqualTo(first);
        assertThat(block.pool().own(DATA)).containsEntry("volsize", Long.toString(2 * GI));
    }

    /** What was given its size for another request is never made smaller for this one. */
    @Test
    void a_block_volume_that_is_larger_than_asked_for_is_made_anew() {
        ZfsCrashFixture block = ZfsCrashFixture.local("zfs-local-zvol");
        create(block, "source", GI, Map.of(), Source.NONE);
        create(block, "data", 4 * GI, Map.of(), SOURCE);
        block.pool().play(List.of("zfs", "set", OwnProperties.STATE + "=" + OwnProperties.MAKING, DATA));
        long first = block.pool().born(DATA);

        create(block, "data", 2 * GI, Map.of(), SOURCE);

        assertThat(block.pool().born(DATA)).isNotEqualTo(first);
        assertThat(block.pool().own(DATA)).containsEntry("volsize", Long.toString(2 * GI));
    }

    @Test
    void the_parameters_of_the_last_request_that_may_change_are_the_volumes() {
        begin(GI, Map.of(), Source.NONE);

        create(zfsCrashFixture, "data", GI, Map.of(), Source.NONE, Map.of("compression", "zstd"));

        assertThat(pool().own(DATA)).containsEntry("compression", "zstd");
    }

    @Test
    void what_hangs_on_it_keeps_it_and_the_request_is_refused() {
        for (String hanging : List.of(DATA + "/child", DATA + "@autosnap_hourly")) {
            begin(GI, Map.of(), Source.NONE);
            pool().put(hanging, hanging.contains("@") ? "snapshot" : "filesystem", Map.of());

            assertThatThrownBy(() -> create(zfsCrashFixture, "data", 5 * GI, Map.of(), Source.NONE))
                    .hasMessageContaining(hanging)
                    .hasMessageContaining("never finished");

            assertThat(pool().names()).contains(DATA, hanging);
            pool().remove(hanging);
            pool().remove(DATA);
        }
    }

    @Test
    void one_that_is_published_all_the_same_stays() {
        ZfsCrashFixture closed = ZfsCrashFixture.shared("nfs", "sharenfs", Map.of("datasetEnableQuotas", true))
                .closed();
        create(closed, "data", GI, Map.of(), Source.NONE);
        closed.pool()
                .play(List.of(
                        "zfs",
                        "set",
                        OwnProperties.STATE + "=" + OwnProperties.MAKING,
                        OwnProperties.GRANTS + "=node-1 10.0.0.1 rw SINGLE_NODE_WRITER mount",
                        DATA));

        assertThatThrownBy(() -> create(closed, "data", 5 * GI, Map.of(), Source.NONE))
                .hasMessageContaining("published all the same");

        assertThat(closed.pool().names()).contains(DATA);
    }

    @Test
    void what_democratic_csi_has_left_is_finished_or_refused_and_never_destroyed() {
        pool().put(
                        DATA,
                        "filesystem",
                        Map.of(
                                PeerProperties.MANAGED,
                                "true",
                                PeerProperties.VOLUME_NAME,
                                "data",
                                "refquota",
                                Long.toString(GI)));
        pool().files(DATA).put("file", "precious");
        long first = pool().born(DATA);

        create(zfsCrashFixture, "data", GI, Map.of(), Source.NONE);
        Failing.with(
                Failure.VolumeConflict.class, () -> create(zfsCrashFixture, "data", 5 * GI, Map.of(), Source.NONE));

        assertThat(pool().born(DATA)).isEqualTo(first);
        assertThat(pool().files(DATA)).containsEntry("file", "precious");
    }
}
