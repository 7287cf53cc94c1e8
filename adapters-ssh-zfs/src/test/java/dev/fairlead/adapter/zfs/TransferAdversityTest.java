package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transfers that are cut, timed out and lied to at every command that either storage host sees, and repeated. */
class TransferAdversityTest extends TransferFixture {
    static Stream<String> types() {
        return Stream.of("zfs-generic-nfs", "zfs-local-zvol");
    }

    @ParameterizedTest
    @MethodSource("types")
    void it_survives_every_crash_point(String type) {
        TransferCrashFixture fresh = TransferCrashFixture.of(type);
        CrashPoints<TransferControllerFixture> harness = new CrashPoints<>(fresh);

        scenarios(fresh).forEach(harness::survive);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    @ParameterizedTest
    @MethodSource("types")
    void it_sees_through_every_lie(String type) {
        TransferCrashFixture fresh = TransferCrashFixture.of(type);
        LyingBackend<TransferControllerFixture> harness = new LyingBackend<>(fresh);

        scenarios(fresh).forEach(harness::seeThrough);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    private static List<CrashScenario<TransferControllerFixture>> scenarios(TransferCrashFixture fresh) {
        return List.of(
                CrashScenario.making(
                        "restore across connections",
                        fixture -> source(fresh, fixture),
                        (fixture, work) -> fixture.make("pvc-2", "west", SNAPSHOT, work)),
                CrashScenario.making(
                        "clone across connections",
                        fixture -> source(fresh, fixture),
                        (fixture, work) -> fixture.make("pvc-2", "west", VOLUME, work)),
                CrashScenario.changing(
                        "go on with a transfer",
                        fixture -> half(fresh, fixture),
                        (fixture, work) -> fixture.make("pvc-2", "west", VOLUME, work)),
                CrashScenario.changing(
                        "delete what is on its way", fixture -> half(fresh, fixture), (fixture, work) -> {
                            fixture.useCases().deleteVolume().delete("v:west/pvc-2", work);
                            return "done";
                        }));
    }

    private static void source(TransferCrashFixture fresh, TransferControllerFixture fixture) {
        fixture.make("pvc-1", "east");
        IntStream.range(0, 5).forEach(i -> fresh.pool("east").files(FROM).put("file-" + i, "precious"));
        fixture.snapshot("snap-1", "v:east/pvc-1");
    }

    private static void half(TransferCrashFixture fresh, TransferControllerFixture fixture) {
        source(fresh, fixture);
        fresh.pool("east").dropAfter(120);
        Failing.with(Failure.BackendUnavailable.class, () -> restore(fixture, VOLUME));
    }
}
