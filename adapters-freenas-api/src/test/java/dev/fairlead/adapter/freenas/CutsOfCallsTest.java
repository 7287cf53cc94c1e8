package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.CutSweep;
import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every RPC whose connection is cut before and after each call to the box, which may take effect late all the same. */
@Execution(ExecutionMode.CONCURRENT)
class CutsOfCallsTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private static final Set<String> SAMPLE = Set.of(
            "nfs@24.10",
            "nfs@25.10",
            "nfs@26",
            "smb@25.10",
            "smb@26-beta",
            "iscsi@24.10",
            "iscsi@25.10",
            "iscsi@26",
            "nvmeof@25.10",
            "nvmeof@26");

    /** The boxes that {@code lab/truenas test} has named, or a sample of all. */
    static Stream<Arguments> boxes() {
        return Arrays.stream(Profile.values())
                .filter(profile -> profile.since(Profile.SCALE_24_10))
                .flatMap(profile -> Arrays.stream(Protocol.values())
                        .filter(protocol -> protocol != Protocol.NVMEOF || profile.since(Profile.V25_10_0))
                        .filter(protocol -> isWanted(profile, protocol))
                        .map(protocol -> Arguments.of(profile, protocol)));
    }

    private static boolean isWanted(Profile profile, Protocol protocol) {
        return LabScale.namesBoxes()
                ? LabScale.isNamed(protocol.driverType(), profile)
                : SAMPLE.contains(protocol.name().toLowerCase(Locale.ROOT) + "@" + profile.title());
    }

    private static Stream<CrashScenario<OneConnectionFixture>> scenarios(Profile profile, Protocol protocol) {
        Map<String, String> mutable = protocol.isBlock()
                ? Map.of("compression", "zstd", "sync", "always")
                : Map.of("compression", "zstd", "sync", "always", "recordsize", "16K", "atime", "off");
        return Stream.of(
                        ControllerScenarios.all("pvc-1@snap-1"),
                        PublishScenarios.all(),
                        ControllerScenarios.ofRoles(mutable),
                        profile.since(Profile.V25_10_0) // older ones rename nothing, so they copy nothing
                                ? ControllerScenarios.ofCopies("pvc-1/snap-1")
                                : List.<CrashScenario<OneConnectionFixture>>of())
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("boxes")
    void the_repetition_of_a_call_that_was_cut_ends_as_a_clean_run_does(Profile profile, Protocol protocol)
            throws IOException {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            JsonObject empty = box.simulator().dump();
            long seed = (protocol + "@" + profile).hashCode();
            var sweep =
                    new CutSweep(box.simulator(), new BoxController(box.simulator(), protocol), seed, LabScale.PERCENT);

            scenarios(profile, protocol).forEach(scenario -> sweep.survive(empty, scenario));

            assertThat(sweep.differences()).isEmpty();
            assertThat(sweep.runs()).isPositive();
            assertThat(sweep.payloads().misfits()).isEmpty();
            if (!profile.before(Profile.V25_10_0)) { // older ones have few models, or none
                assertThat(sweep.payloads().fitting()).isPositive();
                assertThat(sweep.payloads().withoutModel()).noneMatch(CallLog::isChange);
            }
            System.out.printf(
                    "payloads, %s %s: %d fit the vendor's models, none does not; no model has %s%n",
                    profile,
                    protocol,
                    sweep.payloads().fitting(),
                    sweep.payloads().withoutModel());
            Files.writeString(
                    LabScale.ROWS,
                    "%s@%s all %d %d %d%n"
                            .formatted(
                                    protocol.driverType(),
                                    profile.title(),
                                    sweep.runs(),
                                    LabScale.PERCENT,
                                    sweep.payloads().fitting()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
