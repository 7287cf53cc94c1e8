package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.model.CallFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random sequences of calls to a driver that runs, with directories below it, agree with the model. */
class CallFuzzOverSocketTest {
    private static final int STEPS = 120;

    @TempDir
    Path folder;

    /** As many sequences as {@code -Dfairlead.fuzz.seeds} says. */
    @Test
    void the_driver_agrees_with_the_model() throws Exception {
        try (RunningDriver driver = ProxySteps.zones(folder)) {
            Path base = folder.resolve("volumes-a");
            SocketCalls calls = new SocketCalls(driver, "a", base);
            assertThat(calls.offersExpansion()).as("expansion is part of it").isTrue();
            CallFuzz fuzz = new CallFuzz(calls::emptied, false);

            LongStream.rangeClosed(1, Integer.getInteger("fairlead.fuzz.seeds", 3))
                    .forEach(seed -> fuzz.play(seed, STEPS));

            calls.emptied();
            assertThat(names(base.resolve("v"))).isEmpty();
            assertThat(names(base.resolve("s"))).isEmpty();
        }
    }

    private static Stream<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(Path::toString).toList().stream();
        }
    }
}
