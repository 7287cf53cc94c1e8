package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What tests of transfers begin with: content on {@code east}, to be had on {@code west}. */
abstract class TransferFixture {
    static final String FROM = "tank/v/pvc-1";
    static final String TO = "tank/v/pvc-2";
    static final Source VOLUME = new Source.Volume("v:east/pvc-1");
    static final Source SNAPSHOT = new Source.Snapshot("s:east/pvc-1@snap-1");

    private final TransferCrashFixture transferCrashFixture = TransferCrashFixture.of("zfs-generic-nfs");

    TransferCrashFixture world() {
        return transferCrashFixture;
    }

    final FakePool east() {
        return world().pool("east");
    }

    FakePool west() {
        return world().pool("west");
    }

    void given(TransferControllerFixture transferControllerFixture) {
        transferControllerFixture.make("pvc-1", "east");
        IntStream.range(0, 20).forEach(i -> east().files(FROM).put("file-" + i, "precious " + i));
        transferControllerFixture.snapshot("snap-1", "v:east/pvc-1");
    }

    static VolumeView restore(TransferControllerFixture transferControllerFixture, Source source) {
        return transferControllerFixture.make("pvc-2", "west", source, TestWork.patient());
    }

    /** A transfer that has come half-way. */
    void cut(TransferControllerFixture transferControllerFixture, Source source) {
        east().dropAfter(500);
        Failing.with(Failure.BackendUnavailable.class, () -> restore(transferControllerFixture, source));
        assertThat(west().own(TO)).containsKey("receive_resume_token");
    }

    long sends(String... first) {
        return east().history().stream()
                .filter(words -> words.subList(1, words.size())
                        .subList(0, Math.min(first.length, words.size() - 1))
                        .equals(List.of(first)))
                .count();
    }

    void nothingIsLeft() {
        assertThat(west().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/s");
        noHold();
    }

    void noHold() {
        assertThat(east().dump()).doesNotContain("hold ");
        assertThat(east().names()).noneMatch(name -> name.contains("volume-source-for"));
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
