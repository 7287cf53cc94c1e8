package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every RPC, cut, timed out and lied to at every command that the storage host sees, and repeated. */
class RpcAdversityTest {
    private static final String BARE = "pvc-1@snap-1";
    private static final Map<String, String> COPIES =
            Map.of("detachedVolumesFromSnapshots", "true", "detachedVolumesFromVolumes", "true");

    static Stream<ZfsCrashFixture> worlds() {
        return Stream.of(
                ZfsCrashFixture.shared("nfs", "sharenfs", Map.of()),
                ZfsCrashFixture.shared(
                        "nfs", "sharenfs", Map.of("datasetEnableQuotas", true, "datasetPermissionsMode", "0777")),
                ZfsCrashFixture.shared("smb", "sharesmb", Map.of("datasetEnableQuotas", true)),
                ZfsCrashFixture.local("zfs-local-dataset"),
                ZfsCrashFixture.local("zfs-local-zvol"));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void every_call_survives_every_crash_point(ZfsCrashFixture fixture) {
        CrashPoints<OneConnectionFixture> harness = new CrashPoints<>(fixture);

        ControllerScenarios.all(BARE).forEach(harness::survive);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void every_call_sees_through_every_lie(ZfsCrashFixture fixture) {
        LyingBackend<OneConnectionFixture> harness = new LyingBackend<>(fixture);

        ControllerScenarios.all(BARE).forEach(harness::seeThrough);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void groups_and_modifications_survive_every_crash_point_and_see_through_every_lie(ZfsCrashFixture fixture) {
        CrashPoints<OneConnectionFixture> deaths = new CrashPoints<>(fixture);
        LyingBackend<OneConnectionFixture> lies = new LyingBackend<>(fixture);
        List<CrashScenario<OneConnectionFixture>> scenarios =
                ControllerScenarios.ofRoles(Map.of("compression", "zstd", "sync", "always"));

        scenarios.forEach(deaths::survive);
        scenarios.forEach(lies::seeThrough);

        assertThat(deaths.counts()).hasSameSizeAs(scenarios);
        assertThat(lies.counts()).hasSameSizeAs(scenarios);
    }

    /** The targets have their own contracts of it: what they are made of is not this pool's. */
    @Test
    void publishing_survives_every_crash_point_and_sees_through_every_lie() {
        ZfsCrashFixture fixture = ZfsCrashFixture.shared("nfs", "sharenfs", Map.of("datasetEnableQuotas", true))
                .closed();
        CrashPoints<OneConnectionFixture> deaths = new CrashPoints<>(fixture);
        LyingBackend<OneConnectionFixture> lies = new LyingBackend<>(fixture);
        List<CrashScenario<OneConnectionFixture>> scenarios = PublishScenarios.all();

        scenarios.forEach(deaths::survive);
        scenarios.forEach(lies::seeThrough);

        assertThat(deaths.counts()).hasSameSizeAs(scenarios);
        assertThat(lies.counts()).hasSameSizeAs(scenarios);
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void copies_survive_every_crash_point(ZfsCrashFixture fixture) {
        CrashPoints<OneConnectionFixture> harness = new CrashPoints<>(fixture);
        List<CrashScenario<OneConnectionFixture>> scenarios =
                ControllerScenarios.with(COPIES, Map.of("detachedSnapshots", "true"), "pvc-1/snap-1");

        scenarios.forEach(harness::survive);

        assertThat(harness.counts()).hasSameSizeAs(scenarios);
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void copies_see_through_every_lie(ZfsCrashFixture fixture) {
        LyingBackend<OneConnectionFixture> harness = new LyingBackend<>(fixture);
        List<CrashScenario<OneConnectionFixture>> scenarios =
                ControllerScenarios.with(COPIES, Map.of("detachedSnapshots", "true"), "pvc-1/snap-1");

        scenarios.forEach(harness::seeThrough);

        assertThat(harness.counts()).hasSameSizeAs(scenarios);
    }

    static Stream<ZfsCrashFixture> severalParents() {
        return Stream.of(
                ZfsCrashFixture.shared("nfs", "sharenfs", Map.of("datasetEnableQuotas", true))
                        .withParents(),
                ZfsCrashFixture.local("zfs-local-zvol").withParents());
    }

    /** Below the usual parent where others are, below one of its pool, and below one of another. */
    @ParameterizedTest
    @MethodSource("severalParents")
    void every_call_below_any_parent_survives_every_crash_point_and_sees_through_every_lie(ZfsCrashFixture fixture) {
        CrashPoints<OneConnectionFixture> deaths = new CrashPoints<>(fixture);
        LyingBackend<OneConnectionFixture> lies = new LyingBackend<>(fixture);
        List<CrashScenario<OneConnectionFixture>> scenarios = Stream.of("", "fast", "far")
                .flatMap(label -> below(label).stream())
                .toList();

        scenarios.forEach(deaths::survive);
        scenarios.forEach(lies::seeThrough);

        assertThat(deaths.counts()).hasSameSizeAs(scenarios);
        assertThat(lies.counts()).hasSameSizeAs(scenarios);
    }

    private static List<CrashScenario<OneConnectionFixture>> below(String label) {
        String prefix = label.isEmpty() ? "" : label + ".";
        return ControllerScenarios.with(Map.of("parent", label), Map.of(), prefix, prefix + BARE);
    }
}
