package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Has volumes replaced that have all fields of the API server's own schema, and lets a program that shares no code with
 * Fairlead compare what has become of them.
 */
@Tag("cluster")
class AffinityFieldsTest {
    private static final int VOLUMES = Integer.getInteger("fairlead.affinity.volumes", 12);
    private static final boolean GATE = Boolean.getBoolean("fairlead.affinity.gate");
    /** Each volume may wait 3 s for its claim, and a busy machine takes long to start a JVM. */
    private static final Duration LONG = Duration.ofSeconds(240 + 4L * VOLUMES);

    @TempDir
    Path folder;

    @Test
    void every_field_that_the_server_accepts_is_kept() throws Exception {
        Needs.program("python3");
        String[] options = GATE ? new String[] {"--feature-gates=MutablePVNodeAffinity=true"} : new String[0];
        try (AffinityWorld world = AffinityWorld.start(folder, AffinityWorld.Controllers.QUICK, options);
                Supervisor process = world.supervisor()) {
            world.zones("nas", List.of("z0"));
            System.out.println(program(world, "make", Integer.toString(VOLUMES)));
            world.zones("nas", List.of("z0", "z-new"));
            killedBeforeItCreates(world, process);
            process.start(process.quick());
            AffinityWorld.within(
                    LONG,
                    () -> world.volumes().stream()
                            .allMatch(volume -> volume.toString().contains("\"z-new\"")
                                    && !volume.toString().contains("fairlead.dev/affinity-")));
            process.end();
            String compared = program(world, "compare", "z-new");
            System.out.println(compared);
            assertThat(compared).contains(VOLUMES + " volumes, " + (GATE ? 0 : VOLUMES) + " of them replaced");
        }
    }

    /** Leaves the next process a volume that is gone already, if volumes are replaced. */
    private static void killedBeforeItCreates(AffinityWorld world, Supervisor process) throws Exception {
        AtomicBoolean done = new AtomicBoolean(GATE);
        world.gate()
                .script(call ->
                        call.kind().equals("create") && done.compareAndSet(false, true) ? Fate.KILL_BEFORE : Fate.PASS);
        if (!GATE) {
            assertThat(process.start(process.quick()).waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
                    .as("it is killed: " + process.tail())
                    .isTrue();
            assertThat(process.kills()).isOne();
            world.freeLease();
        }
    }

    private String program(AffinityWorld world, String command, String last) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(Arrays.asList(
                "python3",
                Path.of(System.getProperty("fairlead.lab", ".."), "lab/affinity.d/fields.py")
                        .toString(),
                command,
                world.api().address().toString(),
                world.api().certificate().toString(),
                "admin-token",
                folder.resolve("fields.json").toString(),
                last));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
