package dev.fairlead.lab.soak.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the script of a pod with the shell that the lab's image has, in a folder of its own. */
class WriterScriptTest {
    private static final RecordText TEXT = new RecordText("iscsi-2-1");

    @TempDir
    private Path folder;

    @Test
    void a_first_pod_writes_records_that_are_right() throws IOException {
        WriterLog log = run("yes");

        assertThat(log.whole()).isTrue();
        assertThat(log.kept()).isEqualTo(WriterScript.BATCH);
        assertThat(check(0).last()).isEqualTo(5);
    }

    @Test
    void a_second_pod_tells_what_it_found_and_goes_on() throws IOException {
        var _ = run("yes");

        WriterLog log = run("no");

        assertThat(RecordCheck.of(TEXT, log.found(), 5)).isEqualTo(new RecordCheck(5, 0, 0, List.of()));
        assertThat(log.kept()).isEqualTo(10);
        assertThat(check(10)).isEqualTo(new RecordCheck(10, 0, 0, List.of()));
    }

    @Test
    void a_pod_goes_on_after_a_record_that_is_torn() throws IOException {
        Files.writeString(
                records(),
                TEXT.line(1) + "\n" + TEXT.line(2) + "\n" + TEXT.line(3).substring(0, 6));

        WriterLog log = run("no");

        assertThat(log.found()).hasSize(3).last().isEqualTo(TEXT.line(3).substring(0, 6));
        assertThat(log.kept()).isEqualTo(7);
        assertThat(check(7)).isEqualTo(new RecordCheck(7, 0, 1, List.of()));
    }

    @Test
    void a_pod_tells_lines_that_are_no_records_as_they_are() throws IOException {
        Files.writeString(records(), TEXT.line(1) + "\n$(exit) * 'x\n");

        WriterLog log = run("no");

        assertThat(log.found()).containsExactly(TEXT.line(1), "$(exit) * 'x");
        assertThat(log.kept()).isEqualTo(6);
    }

    private Path records() {
        return folder.resolve("records");
    }

    private RecordCheck check(long kept) throws IOException {
        return RecordCheck.of(TEXT, Files.readAllLines(records()), kept);
    }

    /** Runs the script until it has kept its first batch, and returns what it said. */
    private WriterLog run(String first) throws IOException {
        String script = WriterScript.TEXT
                .replace("/data", folder.toString())
                .replace("/tmp/found", folder.resolve("found").toString());
        ProcessBuilder builder = new ProcessBuilder("bash", "--posix", "-c", script).redirectErrorStream(true);
        builder.environment().put("name", TEXT.volume());
        builder.environment().put("seed", Long.toString(TEXT.seed()));
        builder.environment().put("first", first);
        Process process = builder.start();
        StringBuilder said = new StringBuilder();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null) {
                said.append(line).append('\n');
                line = line.startsWith("kept ") ? null : lines.readLine();
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return WriterLog.of(said.toString());
    }
}
