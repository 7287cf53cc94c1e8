package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.Scenario;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transfers that are cut, timed out and lied to at every command that either storage host sees, and repeated. */
class TransferAdversityTest extends TransferScene {
    static Stream<String> types() {
        return Stream.of("zfs-generic-nfs", "zfs-local-zvol");
    }

    @ParameterizedTest
    @MethodSource("types")
    void it_survives_every_crash_point(String type) {
        TransferWorld fresh = TransferWorld.of(type);
        CrashPoints<TransferProcess> harness = new CrashPoints<>(fresh);

        scenarios(fresh).forEach(harness::survive);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    @ParameterizedTest
    @MethodSource("types")
    void it_sees_through_every_lie(String type) {
        TransferWorld fresh = TransferWorld.of(type);
        LyingBackend<TransferProcess> harness = new LyingBackend<>(fresh);

        scenarios(fresh).forEach(harness::seeThrough);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    private static List<Scenario<TransferProcess>> scenarios(TransferWorld fresh) {
        return List.of(
                Scenario.making(
                        "restore across connections",
                        process -> source(fresh, process),
                        (process, work) -> process.make("pvc-2", "west", SNAPSHOT, work)),
                Scenario.making(
                        "clone across connections",
                        process -> source(fresh, process),
                        (process, work) -> process.make("pvc-2", "west", VOLUME, work)),
                Scenario.changing(
                        "go on with a transfer",
                        process -> half(fresh, process),
                        (process, work) -> process.make("pvc-2", "west", VOLUME, work)),
                Scenario.changing("delete what is on its way", process -> half(fresh, process), (process, work) -> {
                    process.useCases().deleteVolume().delete("v:west/pvc-2", work);
                    return "done";
                }));
    }

    private static void source(TransferWorld fresh, TransferProcess process) {
        process.make("pvc-1", "east");
        IntStream.range(0, 5).forEach(i -> fresh.pool("east").files(FROM).put("file-" + i, "precious"));
        process.snapshot("snap-1", "v:east/pvc-1");
    }

    private static void half(TransferWorld fresh, TransferProcess process) {
        source(fresh, process);
        fresh.pool("east").dropAfter(120);
        Failing.with(Failure.BackendUnavailable.class, () -> restore(process, VOLUME));
    }
}
