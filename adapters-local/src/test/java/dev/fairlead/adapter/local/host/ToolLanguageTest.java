package dev.fairlead.adapter.local.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs answer whose output is parsed, on a machine of which the language is another. */
class ToolLanguageTest {
    /** A program that speaks as gettext has it: by LC_ALL, then LC_MESSAGES, then LANG, and not by LANGUAGE in C. */
    private static final String TOOL = """
            #!/bin/sh
            case "${LC_ALL:-${LC_MESSAGES:-$LANG}}" in
              C | POSIX | '') echo 'No records found' ;;
              de*) echo 'Keine Einträge gefunden' ;;
              *) case "$LANGUAGE" in de*) echo 'Keine Einträge gefunden' ;; *) echo 'No records found' ;; esac ;;
            esac
            """;

    @TempDir
    private Path folder;

    private Path tool = Path.of("/nonexistent");

    @BeforeEach
    void make_the_tool() throws IOException {
        tool = Files.writeString(folder.resolve("tool"), TOOL);
        assertThat(tool.toFile().setExecutable(true)).isTrue();
    }

    /** Runs a tool as this driver does; the process has the environment of its own that a test gives it. */
    public static final class Answer {
        private Answer() {}

        public static void main(String[] argv) {
            var runner = new LocalCommandRunner(
                    "test", Thread.ofPlatform().daemon().factory(), HostTools.ofThisMachine(ToolSettings.USUAL));
            System.out.print(runner.run(Command.of(new Effect("test", "tool"), List.of(argv)), TestWork.patient())
                    .output());
        }
    }

    private static String said(Map<String, String> environment, List<String> argv)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(it -> it.startsWith("LC_") || it.startsWith("LANG"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said.strip();
    }

    private static Map<String, String> german(String variable) {
        return variable.equals("LANGUAGE")
                ? Map.of("LANGUAGE", "de", "LANG", "en_US.UTF-8")
                : Map.of(variable, "de_DE.UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"})
    void a_tool_answers_untranslated_whatever_the_language_of_the_driver(String variable) throws Exception {
        List<String> driver = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Answer.class.getName(),
                tool.toString());

        String answer = said(german(variable), driver);

        assertThat(answer).isEqualTo("No records found");
        assertThat(said(german(variable), List.of(tool.toString())))
                .as("what it says to others")
                .isEqualTo("Keine Einträge gefunden");
    }
}
