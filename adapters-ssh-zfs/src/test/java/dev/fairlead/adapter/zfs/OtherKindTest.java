package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection of filesystems and one of block volumes below one parent, and a volume of one id on each. */
class OtherKindTest {
    private static final String DATA = "tank/v/data";

    private final FakePool pool = new FakePool("tank", "tank/v", "tank/s");
    private final ZfsCrashFixture files =
            ZfsCrashFixture.shared("nfs", "sharenfs", Map.of()).in(pool);
    private final ZfsCrashFixture blocks =
            ZfsCrashFixture.local("zfs-local-zvol").in(pool);

    private static void create(ZfsCrashFixture zfsCrashFixture, String name, Source source) {
        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            oneConnectionFixture.create(name, CapacityRange.of(1L << 30, 0), source, Map.of());
        }
    }

    private static void delete(ZfsCrashFixture zfsCrashFixture, String handle) {
        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            oneConnectionFixture.useCases().deleteVolume().delete(handle, TestWork.named(handle));
        }
    }

    private void isUntouched() {
        assertThat(pool.files(DATA)).containsEntry("file", "precious");
        assertThat(pool.own(DATA)).containsEntry("sharenfs", "on");
    }

    /** The other's is not what this call has left. */
    @ParameterizedTest
    @ValueSource(strings = {"permission denied", "out of space"})
    void a_create_that_is_refused_does_not_destroy_the_others_volume(String words) {
        create(files, "data", Source.NONE);
        pool.files(DATA).put("file", "precious");
        pool.refuse("create", "cannot create 'tank/v/data': " + words);

        Class<? extends Failure> told =
                words.equals("out of space") ? Failure.OutOfSpace.class : Failure.BackendRejected.class;
        Failing.with(told, () -> create(blocks, "data", Source.NONE));

        isUntouched();
    }

    @ParameterizedTest
    @ValueSource(strings = {OwnProperties.WHOLE, OwnProperties.MAKING})
    void nor_does_one_that_would_take_its_place(String state) {
        create(blocks, "source", Source.NONE);
        create(files, "data", Source.NONE);
        pool.files(DATA).put("file", "precious");
        pool.play(List.of("zfs", "set", OwnProperties.STATE + "=" + state, DATA));
        Set<String> before = pool.names();
        int commands = pool.history().size();

        Failing.with(Failure.NotOurs.class, () -> create(blocks, "data", Source.NONE));
        Failing.with(Failure.NotOurs.class, () -> create(blocks, "data", new Source.Volume("v:nas/source")));

        isUntouched();
        assertThat(pool.names()).isEqualTo(before);
        assertThat(pool.history().subList(commands, pool.history().size()))
                .as("a look comes before the first effect")
                .noneMatch(words -> words.contains("snapshot"));
    }

    @ParameterizedTest
    @ValueSource(strings = {OwnProperties.WHOLE, OwnProperties.MAKING})
    void nor_does_a_deletion_by_the_same_id(String state) {
        create(files, "data", Source.NONE);
        pool.files(DATA).put("file", "precious");
        pool.play(List.of("zfs", "set", OwnProperties.STATE + "=" + state, DATA));

        Failing.with(Failure.NotOurs.class, () -> delete(blocks, "v:nas/data"));

        isUntouched();
        delete(files, "v:nas/data");
        assertThat(pool.names()).doesNotContain(DATA);
    }

    @Test
    void nor_is_the_others_volume_snapshotted_by_whichever_of_them() {
        create(files, "data", Source.NONE);
        create(blocks, "disk", Source.NONE);
        for (boolean alone : List.of(true, false)) {
            Failing.with(Failure.VolumeNotFound.class, () -> snapshot(blocks, "v:nas/data", alone));
            Failing.with(Failure.VolumeNotFound.class, () -> snapshot(files, "v:nas/disk", alone));
        }
        assertThat(pool.names()).noneMatch(name -> name.contains("@"));

        snapshot(files, "v:nas/data", true);
        snapshot(blocks, "v:nas/disk", true);

        assertThat(pool.names()).contains("tank/v/data@snap-data", "tank/v/disk@snap-disk");
    }

    private static void snapshot(ZfsCrashFixture zfsCrashFixture, String handle, boolean alone) {
        var name = new CsiName("snap-" + handle.substring(handle.indexOf('/') + 1));
        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            if (alone) {
                oneConnectionFixture.useCases().takeSnapshot().take(name, handle, Map.of(), TestWork.named(handle));
            } else {
                oneConnectionFixture
                        .useCases()
                        .groups()
                        .take()
                        .take(name, List.of(handle), Map.of(), TestWork.named(handle));
            }
        }
    }

    @Test
    void nor_the_other_way_round() {
        create(blocks, "data", Source.NONE);

        Failing.with(Failure.NotOurs.class, () -> create(files, "data", Source.NONE));
        Failing.with(Failure.NotOurs.class, () -> delete(files, "v:nas/data"));

        assertThat(pool.names()).contains(DATA);
    }
}
